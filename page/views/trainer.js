// The trainer of Play: hints, reviews, sessions of solves, settings and modes. It is loaded at the first move, or at once
// if there are solves or a setting requires it.
import { button } from '../parts/controls.js';
import { announce, h } from '../parts/dom.js';
import { clock, plural } from '../parts/numbers.js';
import { SessionPanel } from '../parts/session_panel.js';
import { loadStyle } from '../parts/style.js';
import { wave } from '../parts/wave.js';
import { formatBoard } from '../puzzle/board.js';
import { kindOf, kindTitle, parseKind } from '../puzzle/kind.js';
import { MEASURES, fallenBests, statistics, valueText } from '../puzzle/session.js';
import { lookBack, showHint } from './advice.js';
import { Looks } from './looks.js';
import { Modes, Run } from './modes.js';
import { storeSettings, storedSettings } from './settings.js';
import { BriefStore, SolveStore } from './store.js';

/** Measures whose new bests are reported. */
const REPORTED = ['time', 'moves', 'tps'];

/** Why a solve is not recorded. */
const REASONS = {
  given: 'only boards that Loyd scrambles are.',
  length: 'scrambles of a chosen length are easier.',
  again: 'you knew the board.',
  left: 'you left the game before its end.',
  hint: 'you took a hint.',
};

/** Opens the trainer of a Play view. Without storage it works until the reader leaves. */
export async function openTrainer(play) {
  let store;
  try {
    store = await SolveStore.open();
  } catch (error) {
    console.warn(error);
    store = new BriefStore();
  }
  await loadStyle('style/later.css');
  await loadStyle('style/train.css');
  const trainer = new Trainer(play, store);
  store.listen(() => trainer.showSession());
  await Promise.all([trainer.showSession(), trainer.looks.apply()]);
  return trainer;
}

class Trainer {
  constructor(play, store) {
    Object.assign(this, { play, store, settings: play.settings });
    this.modes = new Modes(play, play.settings, (ms) => this.record({ ...gameOf(play), ms, dnf: true }));
    this.looks = new Looks(play, store, (change) => this.set(change));
    this.panel = new SessionPanel({
      measure: play.settings.measure,
      onMeasure: (measure) => this.set({ measure }),
      onChange: (id, fields) => this.write(() => store.change(id, fields)),
      onDelete: (solve) => this.write(() => store.remove(solve.id)),
      onRestore: (solve) => this.write(() => store.restore(solve)),
      files: { list: async (all) => (await this.list(all ? null : kindOfGame(play))) ?? [], kind: () => kindOfGame(play), add: (solves) => this.addAll(solves) },
    });
    play.session.append(this.panel.element);
    if (!store.isLasting) this.panel.warn('This browser stores nothing for this page.', 'Your solves are kept only until you close it. Save them as a file if you need them.');
  }

  set(change) {
    Object.assign(this.settings, change);
    // Other tabs may have changed other settings.
    storeSettings({ ...storedSettings(), ...change });
  }

  /** Runs a change of the stored solves and shows the session. Returns its value, or null after showing what failed. */
  async write(change) {
    try {
      const value = await change();
      await this.showSession();
      return value;
    } catch (error) {
      console.warn(error);
      this.panel.warn('The solves could not be changed.', `Reason: ${error?.message ?? error}.`);
      this.play.session.open = true;
      return null;
    }
  }

  /** Adds solves of a file. Returns the number of new solves, or null if that failed. */
  addAll(solves) {
    this.set({ hasSolves: true });
    return this.write(() => this.store.addAll(solves));
  }

  /** Reads the solves of the current kind and shows them. */
  async showSession() {
    const { play, settings } = this;
    const name = kindOfGame(play);
    const solves = await this.list(name);
    // The reader may have chosen another size in the meantime, or another view.
    if (!solves || name !== kindOfGame(play) || play.cancel.signal.aborted) return;
    const kind = parseKind(name);
    play.session.querySelector('summary').textContent = `Times and averages, ${kindTitle(kind)}`;
    play.best.textContent = play.run?.progress || bestLine(solves, kind);
    if (solves.length && !settings.isSessionClosed) play.session.open = true;
    this.panel.show(solves, kind);
  }

  /** Returns the stored solves of a kind, or null after showing that they cannot be read. */
  async list(kind) {
    try {
      return await this.store.list(kind);
    } catch (error) {
      console.warn(error);
      this.panel.warn('The solves could not be read.', 'Reload the page to try again.');
      return null;
    }
  }

  /** Called when the reader opens or closes the session. */
  toggled() {
    const isSessionClosed = !this.play.session.open;
    if (isSessionClosed !== this.settings.isSessionClosed) this.set({ isSessionClosed });
  }

  showSettings(details) {
    this.looks.showSettings(details);
  }

  newRun(wanted) {
    return Run.of(this.settings, wanted);
  }

  restoredRun(record) {
    return Run.restored(record);
  }

  resumed() {
    this.modes.resumed();
  }

  started() {
    this.modes.started();
  }

  moved() {
    this.modes.moved();
  }

  continues() {
    return this.modes.continues();
  }

  freeze() {
    this.modes.freeze();
  }

  pause() {
    this.modes.pause();
  }

  hint() {
    return showHint(this.play);
  }

  /** Reviews a solved game. Returns a promise of the length of a shortest solution; null if it is unknown. */
  lookBack(solved) {
    return lookBack(this.play, solved).catch((error) => {
      console.warn(error);
      return null;
    });
  }

  /** Celebrates, reviews and records a solved game. */
  async finish(solved) {
    const { play } = this;
    this.modes.ended();
    wave(play.view);
    this.offerLevel(solved);
    await this.record(solved, this.lookBack(solved));
  }

  /** Stores a solve, or shows why it is not recorded. `optimal` is a promise of the length of a shortest solution; null if it is unknown. */
  async record(solved, optimal = null) {
    const { play, store } = this;
    if (solved.uncounted) {
      if (!solved.setup.isLevel) play.message.append(h('p', { class: 'small' }, `Not recorded: ${REASONS[solved.uncounted]}`));
      return;
    }
    const record = recordOf(solved);
    // Stored first: the reader may leave at any time.
    const id = await this.write(() => store.add(record));
    if (id === null) return;
    const before = ((await this.list(record.kind)) ?? []).filter((solve) => solve.id !== id);
    if (!this.settings.hasSolves) this.set({ hasSolves: true });
    const text = bestsText(before, record);
    if (text && play.game === solved.game) {
      play.message.append(h('p', { class: 'small' }, text));
      announce(text);
    }
    const shortest = await optimal;
    // The review is of the last board, not of a whole run.
    if (shortest !== null && !record.splits) await this.write(() => store.change(id, { optimal: shortest }));
  }

  /** Opens the next level if the solved board was one of the highest open level. */
  offerLevel({ game, setup, uncounted }) {
    const isUnaided = uncounted !== 'hint';
    if (setup.isLevel && !isUnaided) this.play.message.append(h('p', { class: 'small' }, 'Solve one without a hint to open the next level.'));
    const next = isUnaided && this.looks.levelAfter(setup);
    if (!next || this.play.game !== game) return;
    const play = button(`Play level ${next}`, () => this.looks.playLevel(next), 'primary');
    this.play.message.append(h('div', { class: 'row' }, h('p', {}, `Level ${next} is open.`), play));
    announce(`Level ${next} is open.`);
  }

  close() {
    this.store.close();
  }
}

const gameOf = ({ game, setup, run, uncounted }) => ({ game, setup, run, uncounted });

const kindOfGame = ({ run, setup }) => run?.kind ?? kindOf({ sizes: [setup.size], goalText: setup.goalText });

/** Returns the record of a game, without an id. */
function recordOf({ game, setup, run, ms, dnf = false }) {
  const { start, moves, times } = game;
  const record = {
    kind: kindOfGame({ run, setup }), date: Date.now(), ms, length: moves.length, moves, times, board: formatBoard(start), seed: setup.isGiven ? '' : setup.seed,
    dnf, comment: '', isPaused: Boolean(game.isPaused || run?.isPaused),
  };
  if (run?.isBlind) record.memo = run.memo;
  if (!run || run.sizes.length < 2) return record;
  const splits = run.parts.map((part) => ({ ...part, board: formatBoard(part.board) }));
  return { ...record, splits, length: splits.reduce((total, part) => total + part.moves.length, 0), moves: '', times: [], board: '', seed: '' };
}

const yourBest = (kind) => `Your best${kind.mode === 'single' ? ' at' : ','} ${kindTitle(kind)}`;

/** Describes the fastest solve; '' if there is none. */
function bestLine(solves, kind) {
  const { best } = statistics(solves, 'time').rows[0];
  const fastest = solves.find((solve) => !solve.dnf && MEASURES.time.of(solve) === best);
  if (!fastest) return '';
  return `${yourBest(kind)}: ${clock(best)}${fastest.length === null ? '' : `, ${plural(fastest.length, 'move')}`}.`;
}

/** Returns a text that names the bests of a session that fall with a solve: `New best ao5: 12.34.` */
function bestsText(before, record) {
  if (before.length === 0) return record.dnf ? '' : `${yourBest(parseKind(record.kind))} so far.`;
  return REPORTED.flatMap((measure) => {
    const fallen = fallenBests(statistics(before, measure), statistics([...before, record], measure), measure);
    const unit = { time: '', moves: ' moves', tps: ' TPS' }[measure];
    return fallen.map(({ name, best }) => `New best ${name}: ${valueText(measure, best, name !== 'single')}${unit}.`);
  }).join(' ');
}
