// The layout of a tree.

/**
 * Returns the positions of nodes: a Map from id to {x, y}, and the size. Children are next to each other, centred below
 their parent, and subtrees are as close together as their outlines allow.
 */
export function layout(nodes, ids, { across = 112, down = 84 } = {}) {
  const shown = new Set(ids);
  const children = new Map(ids.map((id) => [id, []]));
  for (const id of ids) children.get(nodes.get(id).parent)?.push(id);
  const trees = ids.filter((id) => !shown.has(nodes.get(id).parent)).map((id) => subtree(id, children));
  const { shifts, sides } = sideBySide(trees);
  const left = Math.min(0, ...sides.map(([first]) => first));
  const places = new Map();
  const settle = ({ id, below }, x, level) => {
    places.set(id, { x: (x - left + 1) * across, y: level * down });
    below.forEach(([tree, shift]) => settle(tree, x + shift, level + 1));
  };
  trees.forEach((tree, place) => settle(tree, shifts[place], 0));
  const right = Math.max(0, ...sides.map(([, last]) => last));
  return { places, width: (right - left + 2) * across - 12, height: sides.length * down };
}

/** Returns a tree with its root at 0: {id, below: [[tree, shift]], sides}, where `sides` has [left, right] of each level. */
function subtree(id, children) {
  const trees = children.get(id).map((child) => subtree(child, children));
  const { shifts, sides } = sideBySide(trees);
  const middle = trees.length ? (shifts[0] + shifts.at(-1)) / 2 : 0;
  return { id, below: trees.map((tree, place) => [tree, shifts[place] - middle]), sides: [[0, 0], ...sides.map((side) => side.map((x) => x - middle))] };
}

/** Returns the shift of each tree that puts it one column to the right of the trees before it, and the sides of all. */
function sideBySide(trees) {
  const sides = [];
  const shifts = trees.map((tree) => {
    const shift = Math.max(0, ...tree.sides.slice(0, sides.length).map(([left], level) => sides[level][1] + 1 - left));
    tree.sides.forEach(([left, right], level) => { sides[level] = [sides[level]?.[0] ?? left + shift, right + shift]; });
    return shift;
  });
  return { shifts, sides };
}
