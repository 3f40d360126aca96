// The latest games of this tab, stored so that they survive reloads and visits to other views. Nothing is stored if
// storage is disabled.
const KEY = 'loyd.games';
const MAX_GAMES = 8;

function games() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

/** Stores a game: {id, board, goalText, game, …}, where `board` is the text of its current board. */
export function keepGame(kept) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify([kept, ...games().filter(({ id }) => id !== kept.id)].slice(0, MAX_GAMES)));
  } catch { /* storage is disabled or full */ }
}

/** Returns the stored game with this id; undefined if there is none. */
export const keptGame = (id) => id && games().find((kept) => kept.id === id);

/** Returns the latest stored game that has come to this board, on the way to the same goal. */
export const keptGameAt = (board, goalText) => games().find((kept) => kept.board === board && kept.goalText === goalText && kept.game.done.length > 0);
