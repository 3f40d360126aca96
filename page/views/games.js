// The latest games of this tab, stored so that they survive reloads and visits to other views. Nothing is stored if
// storage is disabled. The number in the key changes with the form of the records.
const KEY = 'loyd.games.3';
const MAX_GAMES = 8;
const MAX_LINKS = 128;

function games() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY));
    return Array.isArray(kept) ? kept.filter(Boolean) : [];
  } catch {
    return [];
  }
}

/**
 * Stores a game: {id, links, board, isSolved, setup, game, …}, where `board` is the text of its current board, and `links` are the
 * addresses under which a reload may find it, without moves. Those of an earlier record of the game are added.
 */
export function keepGame(kept) {
  try {
    const all = games();
    const links = new Set([...kept.links, ...all.find(({ id }) => id === kept.id)?.links ?? []]);
    const others = all.filter(({ id }) => id !== kept.id);
    sessionStorage.setItem(KEY, JSON.stringify([{ ...kept, links: [...links].slice(0, MAX_LINKS) }, ...others].slice(0, MAX_GAMES)));
  } catch { /* storage is disabled or full */ }
}

/** Returns the stored game with this id; undefined if there is none. */
export const keptGame = (id) => id && games().find((kept) => kept.id === id);

/** Returns the latest game if this is one of its links. Browsers can lose the state of an entry at a reload. */
export const latestGame = (link) => games().slice(0, 1).find(({ links }) => links?.includes(link));

/** Returns the latest unsolved game whose current board and goal are these. */
export const keptGameAt = (board, goalText) =>
  games().find((kept) => kept.board === board && kept.setup.goalText === goalText && !kept.isSolved && kept.game.done.length > 0);
