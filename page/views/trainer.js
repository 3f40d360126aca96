// The trainer of Play: hints, reviews, sessions of solves, settings and modes. It is loaded when it is needed first: there
// are solves, a setting asks for it, or a game has begun.
import { note } from '../parts/controls.js';
import { announce, h } from '../parts/dom.js';
import { clock, plural } from '../parts/numbers.js';
import { SessionPanel } from '../parts/session_panel.js';
import { loadStyle } from '../parts/style.js';
import { formatBoard } from '../puzzle/board.js';
import { kindOf, kindTitle, parseKind } from '../puzzle/kind.js';
import { fallenBests, statistics, valueText } from '../puzzle/session.js';
import { lookBack, showHint } from './advice.js';
import { storeSettings } from './settings.js';
import { BriefStore, SolveStore } from './store.js';

/** Measures whose new bests are reported. */
const REPORTED = ['time', 'moves', 'tps'];

/** Opens the trainer of a Play view. Without storage it works until the reader leaves. */
export async function openTrainer(play) {
  let store;
  let taken = 0;
  try {
    store = await SolveStore.open();
    taken = await store.takeOver();
  } catch (error) {
    console.warn(error);
    store = new BriefStore();
  }
  await loadStyle('style/train.css');
  const trainer = new Trainer(play, store);
  if (taken) trainer.set({ hasSolves: true });
  store.listen(() => trainer.showSession());
  await trainer.showSession();
  return trainer;
}

class Trainer {
  constructor(play, store) {
    Object.assign(this, { play, store, solves: [] });
    this.panel = new SessionPanel({
      measure: play.settings.measure,
      onMeasure: (measure) => this.set({ measure }),
      onChange: (id, fields) => this.write(() => store.change(id, fields)),
      onDelete: (solve) => this.write(() => store.remove(solve.id)),
      onRestore: (solve) => this.write(() => store.restore(solve)),
    });
    play.session.append(this.panel.element);
    if (!store.isLasting) this.panel.warn('This browser stores nothing for this page.', 'Your solves are kept only until you close it. Save them as a file if you need them.');
  }

  get settings() {
    return this.play.settings;
  }

  set(change) {
    Object.assign(this.settings, change);
    storeSettings(this.settings);
  }

  /** Kind of the game on the board. */
  get kind() {
    return kindOfGame(this.play);
  }

  /** Runs a change of the stored solves and shows the session. Returns its value, or null after showing what failed. */
  async write(change) {
    try {
      const value = await change();
      await this.showSession();
      return value;
    } catch (error) {
      console.warn(error);
      this.panel.warn('The solves could not be changed.', `The browser says: ${error?.message ?? error}.`);
      this.play.session.open = true;
      return null;
    }
  }

  /** Reads the solves of the current kind and shows them. */
  async showSession() {
    const { kind, play, settings } = this;
    const solves = await this.store.list(kind);
    if (kind !== this.kind) return;
    Object.assign(this, { solves, shown: kind });
    const title = kindTitle(parseKind(kind));
    play.session.querySelector('summary').textContent = `Times and averages, ${title}`;
    const { best } = statistics(solves, 'time').rows[0];
    const fastest = solves.find(({ ms, dnf }) => !dnf && ms === best);
    play.best.textContent = fastest ? `Your best at ${title}: ${clock(best)}${fastest.length === null ? '' : `, ${plural(fastest.length, 'move')}`}.` : '';
    if (solves.length && !settings.isSessionClosed) play.session.open = true;
    this.panel.show(solves, parseKind(kind));
  }

  /** The reader has opened or closed the session. */
  toggled() {
    const isSessionClosed = !this.play.session.open;
    if (isSessionClosed !== this.settings.isSessionClosed) this.set({ isSessionClosed });
  }

  showSettings() {}

  newRun() {
    return null;
  }

  started() {}

  moved() {}

  continues() {
    return false;
  }

  freeze() {}

  pause() {}

  hint() {
    return showHint(this.play);
  }

  lookBack(solved) {
    return lookBack(this.play, solved);
  }

  /** Reviews a solved game, and records it if it counts. */
  async finish(solved) {
    const { play, store } = this;
    const { game, isCounted } = solved;
    const optimal = this.lookBack(solved);
    if (!isCounted) return;
    const record = recordOf(solved);
    const { kind } = record;
    const before = await store.list(kind);
    const id = await this.write(() => store.add(record));
    if (id === null) return;
    if (!this.settings.hasSolves) this.set({ hasSolves: true });
    const text = bestsText(before, [...before, record], kind);
    if (text && play.game === game) {
      play.say.append(h('p', { class: 'small' }, text));
      announce(text);
    }
    const shortest = await optimal;
    if (shortest !== null) await this.write(() => store.change(id, { optimal: shortest }));
  }

  close() {
    this.store.close();
  }
}

const kindOfGame = ({ run, setup }) => run?.kind ?? kindOf({ sizes: [setup.size], goalText: setup.goalText });

/** Returns the record of a solved game, without an id. */
function recordOf({ game, setup, run, ms }) {
  const { start, moves, times } = game;
  return { kind: kindOfGame({ run, setup }), date: Date.now(), ms, length: moves.length, moves, times, board: formatBoard(start), seed: setup.isGiven ? '' : setup.seed, dnf: false, comment: '' };
}

/** Says which bests of a session have fallen: `New best ao5: 12.34.` */
function bestsText(before, after, kind) {
  if (before.length === 0) return `Your best at ${kindTitle(parseKind(kind))} so far.`;
  return REPORTED.flatMap((measure) => {
    const fallen = fallenBests(statistics(before, measure), statistics(after, measure), measure);
    const unit = { time: '', moves: ' moves', tps: ' TPS' }[measure];
    return fallen.map(({ name, best }) => `New best ${name}: ${valueText(measure, best, name !== 'single')}${unit}.`);
  }).join(' ');
}
