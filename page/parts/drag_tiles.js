// Mouse and touch on an editable board: tiles are dragged onto cells, also from outside of the board.
const DRAG_PX = 6;

/**
 * Adds listeners to an element that contains a BoardView and tiles outside of it. `onDrop(tile element, cell)` is called
 * when a tile is dropped on a cell of the board.
 */
export function dragTiles(root, view, onDrop) {
  let held = null;
  root.addEventListener('pointerdown', (event) => {
    const element = event.target.closest('.tile');
    if (!element || event.button !== 0 || held?.isDragged) return;
    held = { element, pointer: event.pointerId, x: event.clientX, y: event.clientY, isDragged: false };
  });
  const move = (event) => {
    if (event.pointerId !== held?.pointer) return;
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.isDragged && Math.hypot(dx, dy) < DRAG_PX) return;
    if (!held.isDragged) held.element.setPointerCapture(event.pointerId);
    held.isDragged = true;
    held.element.classList.add('dragged');
    held.element.style.translate = `${dx}px ${dy}px`;
  };
  const end = (event) => {
    if (event.pointerId !== held?.pointer) return;
    const { element, isDragged } = held;
    held = null;
    if (!isDragged) return;
    element.style.translate = '';
    element.classList.remove('dragged');
    if (event.type === 'pointercancel') return;
    ignoreClick();
    const cell = cellUnder(event, element);
    if (cell >= 0) onDrop(element, cell);
  };
  const cellUnder = ({ clientX, clientY }, dragged) => {
    const found = document.elementsFromPoint(clientX, clientY).find((one) => view.board.contains(one) && one !== dragged && !dragged.contains(one) && view.cellOf(one) >= 0);
    return found ? view.cellOf(found) : -1;
  };
  root.addEventListener('pointermove', move);
  for (const name of ['pointerup', 'pointercancel']) root.addEventListener(name, end);
}

/** Stops the click that follows a drag: it would pick up the tile. */
function ignoreClick() {
  const stop = (event) => event.stopPropagation();
  addEventListener('click', stop, { capture: true });
  setTimeout(() => removeEventListener('click', stop, { capture: true }));
}
