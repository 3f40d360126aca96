// Uses every function with its types.
import { anytime, batch, census, close, compare, convert, explain, Fault, hint, list, optimize, review, scramble, solve, trace } from 'loyd';
import type { BoardInput, HintAnswer, Improvement, Progress, SolveAnswer, SolveOptions } from 'loyd';
import { LoydBoard } from 'loyd/board';

const boards: BoardInput[] = ['2 3 4/1 5 0/7 6 8', [2, 3, 4, 1, 5, 0, 7, 6, 8], [[2, 3, 4], [1, 5, null], [7, 6, 'x']], new Uint8Array(9)];
const abort = new AbortController();
const options: SolveOptions = { goal: 'spiral', quality: 'auto', max_ms: 1000, signal: abort.signal, onEvent: ({ event, lower_bound }: Progress) => console.log(event, lower_bound) };

const answer: SolveAnswer = await solve(boards[0], { ...options, all: true, max_solutions: 3 });
const length: number | null = answer.length;
const first: HintAnswer = await hint(boards[1], { metric: 'mtm' });
const values: { [name: string]: number | null } = (await explain(boards[2])).heuristics;
for await (const found of anytime(boards[3], options)) {
  const moves: string | null = found.moves;
  if (found.final) console.log(found.status, found.optimal, moves);
  else console.log(found.expanded, found.length.toFixed());
}
const improvements: AsyncGenerator<Improvement, void, undefined> = anytime('2 3 4/1 5 0/7 6 8');
for (const one of (await review('1 2 3/4 0 5/7 8 6', 'lrrd')).reviews) if (one.status === 'solved') console.log(one.segments[0]?.number);
const shorter: string = (await optimize('1 2 3/4 0 5/7 8 6', 'lrrd', { to: 'numbers' })).written;
for await (const { line, status } of batch(boards, { quality: 'fast' })) console.log(line, status);
const seed: number = (await scramble('4x4', { length: 30, seed: 1 })).boards[0].seed;
const text: string = (await convert('ullddr', 'numbers', { board: boards[0] })).text;
const rows = (await compare({ board: boards[0], rows: [{ algorithm: 'astar', heuristic: 'manhattan' }] })).summary;
const events = await trace(boards[0], { algorithm: 'bfs', max_events: 10 });
const levels: number[] = (await census('3x3')).levels;
const names: string[] = (await list('goals')).map(({ name }) => name);
close();
try {
  await solve('');
} catch (error) {
  if (error instanceof Fault) console.log(error.message, error.help, error.field, error.from, error.to);
}

const element = document.querySelector('loyd-board');
if (element instanceof LoydBoard) {
  element.board = [[1, 2, 3], [4, 0, 5], [7, 8, 6]];
  element.addEventListener('move', ({ detail }) => console.log(detail.moves, detail.by));
  element.addEventListener('solved', ({ detail }) => console.log(detail.length));
  await element.ready;
  const arrived: boolean = await element.animateMoves((await element.solve({ metric: 'mtm' })).moves);
  console.log(arrived, element.move('r'), element.undo());
}
console.log(length, first.best, values, improvements, shorter, seed, text, rows, events, levels, names);
