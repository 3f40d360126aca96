import type { BoardInput, HintAnswer, HintOptions, ScrambleOptions, SolveAnswer, SolveOptions } from './index.js';

/** Who made a move. */
export type Mover = 'reader' | 'animation' | 'script';

export interface MoveDetail {
  /** The directions of the blank: `u`, `d`, `l`, `r`. Empty if a move was taken back. */
  moves: string;
  by: Mover;
  /** The board after the moves. */
  board: string;
  /** Number of moves since the start of the game. */
  length: number;
}

/** In the event `solved`, `moves` are all moves since the start of the game. */
export type SolvedDetail = MoveDetail;

export interface LoydBoardEvents {
  /** Tiles have moved. */
  move: CustomEvent<MoveDetail>;
  /** The board has reached its goal. */
  solved: CustomEvent<SolvedDetail>;
  /** The board or the goal cannot be read. */
  fault: CustomEvent<Error>;
}

/** The element `<loyd-board>`: a sliding-tile puzzle to play, solve and watch. */
export class LoydBoard extends HTMLElement {
  /** The board on show. Another board starts a new game. */
  get board(): string;
  set board(board: BoardInput);
  /** The name of a goal, or a board with `*` for cells that accept any tile. */
  goal: string;
  /** Name of the board for screen readers. */
  label: string;
  /** Moves per second of an animation. */
  speed: number;
  /** Whether there are buttons below the board. */
  controls: boolean;
  /** Whether the reader cannot move tiles. */
  readonly: boolean;
  /** Moves since the start of the game: the directions of the blank. */
  get moves(): string;
  get solved(): boolean;
  get animating(): boolean;
  /** Resolves once the board of the attributes is on show; rejected if it cannot be read. */
  get ready(): Promise<void>;

  /** Ends a search or an animation, so that the reader plays from the board on show. */
  play(): void;
  /** Makes moves at once: the directions of the blank. Returns whether they are possible. */
  move(moves: string): boolean;
  undo(): boolean;
  /** Returns to the start of the game. */
  reset(): void;
  /** Draws another board of the same size. */
  scramble(options?: ScrambleOptions): Promise<void>;
  /** Returns the solution of the board on show, which does not change. */
  solve(options?: SolveOptions): Promise<SolveAnswer>;
  /** Marks the tile that a shortest solution moves next. */
  hint(options?: HintOptions): Promise<HintAnswer>;
  /** Slides tiles by `moves`, by default a solution. Returns whether all moves were made. */
  animateMoves(moves?: string | null, options?: SolveOptions): Promise<boolean>;

  addEventListener<Name extends keyof LoydBoardEvents>(type: Name, listener: (event: LoydBoardEvents[Name]) => void, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'loyd-board': LoydBoard;
  }
}
