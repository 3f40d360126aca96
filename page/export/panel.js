// The choices of Export: files of a board or its solution, and the code that shows it in another page.
import { button, copyFrom, note } from '../parts/controls.js';
import { fill, h } from '../parts/dom.js';
import { download } from '../parts/fields.js';
import { bytes } from '../parts/numbers.js';
import { sizeText } from '../puzzle/board.js';
import { animatedSvg } from './animated_svg.js';
import { gif, movingLayout, png } from './picture.js';

const MAX_MOVES = 1000;
const [FRAME_WIDTH, FRAME_HEIGHT] = [960, 640];

/** Creates the panel for a Player. `address()` returns the address of the view. */
export function exportPanel(player, address) {
  const message = h('div', { role: 'status' });
  const frame = button('Copy code to embed', async () => {
    copyFrom(frame, frameCode(address()));
    fill(message, await mayBeFramed() ? null : note('warn', 'This server does not let other pages show it yet.', 'Start it with loyd serve --allow-embed and the address of your site.'));
  }, 'plain');
  return h('div', { class: 'stack' }, h('div', { class: 'row' }, choices(player, message), frame), message);
}

function choices(player, message) {
  const save = (name, blob) => {
    if (!blob || !message.isConnected) return;
    download(name, blob, blob.type);
    fill(message, note('good', `Saved ${name}.`, `${bytes(blob.size)}.`));
  };
  const nameOf = ({ start, moves }, end) => `loyd-${sizeText(start)}-${moves.length}-moves.${end}`;
  const animation = (make) => async () => {
    const { moves } = player;
    const fault = moves.length === 0 ? ['There are no moves yet.', 'Wait for the first solution.'] : moves.length > MAX_MOVES ? [`There are ${moves.length} moves.`, `An animation has at most ${MAX_MOVES}.`] : null;
    if (fault) return fill(message, note('bad', ...fault));
    return make({ start: player.start, goal: player.goal, moves });
  };
  const gifButton = button('Animated GIF', animation(async (shown) => {
    gifButton.disabled = true;
    const onProgress = (part) => {
      gifButton.textContent = `Animated GIF, ${Math.floor(100 * part)}%`;
      return message.isConnected;
    };
    const blob = await gif(shown.start, shown.moves, movingLayout(shown.start, shown.goal), onProgress);
    gifButton.textContent = 'Animated GIF';
    gifButton.disabled = false;
    save(nameOf(shown, 'gif'), blob);
  }));
  return [
    button('PNG of this board', async () => {
      save(`loyd-${sizeText(player.start)}-move-${player.at}.png`, await png(player.board, player.goal));
    }),
    button('Animated SVG', animation((shown) => {
      save(nameOf(shown, 'svg'), new Blob([animatedSvg(shown.start, shown.moves, movingLayout(shown.start, shown.goal))], { type: 'image/svg+xml' }));
    })),
    gifButton,
  ];
}

/** Returns the HTML of a frame that shows an address of this page. */
function frameCode(address) {
  const source = new URL(`embed.html${new URL(address).hash}`, document.baseURI).href;
  const quoted = source.replaceAll('&', '&amp;').replaceAll('"', '%22');
  return `<iframe src="${quoted}" width="${FRAME_WIDTH}" height="${FRAME_HEIGHT}" title="A sliding-tile puzzle" allow="fullscreen; clipboard-write"></iframe>`;
}

/** Returns whether the server lets any other site show the page in a frame. A static site does. */
async function mayBeFramed() {
  try {
    const { headers } = await fetch('embed.html', { method: 'HEAD' });
    return !(headers.get('content-security-policy') ?? '').includes("frame-ancestors 'none'");
  } catch {
    return true;
  }
}
