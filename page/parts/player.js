// Player of moves: a board, its controls, and the moves as chips.
import { walk } from '../puzzle/board.js';
import { lastMoved } from '../puzzle/game.js';
import { NOTATIONS, tileWord, writeMoves } from '../puzzle/moves.js';
import { movesDue, replayLink } from '../puzzle/replay.js';
import { BoardView } from './board.js';
import { Chips } from './chips.js';
import { button, copyFrom, iconButton, segments, setIcon } from './controls.js';
import { h, set, setText } from './dom.js';
import { check, select } from './fields.js';

const STEP_MS = 220;
/** Above this speed tiles jump instead of sliding. */
const SLIDING_SPEED = 8;
/** Without a frame for this time, the page was hidden, and playback paused. */
const STILL_MS = 1000;
const SPEEDS = [['0.5', '½×'], ['1', '1×'], ['4', '4×'], ['16', '16×']];

export class Player {
  /** `onRest()` is called when the reader has changed a setting, and when a move is shown while the player is paused. */
  constructor({ onRest = () => {}, speed, notation, runs = true } = {}) {
    const known = { speed: SPEEDS.some(([one]) => one === speed) ? speed : '1', notation: NOTATIONS.some(([one]) => one === notation) ? notation : 'tile' };
    Object.assign(this, { onRest, speed: Number(known.speed), at: 0, moves: '', notation: known.notation, runs, times: null });
    this.view = new BoardView({});
    this.chips = new Chips('Moves', (at) => this.jump(at));
    this.build(known.speed);
  }

  build(speed) {
    this.range = h('input', { type: 'range', min: 0, max: 0, value: 0, 'aria-label': 'Move', oninput: () => this.jump(Number(this.range.value)) });
    this.toggle = iconButton('play', 'Play', () => (this.isPlaying ? this.pause() : this.play()), 'primary solid');
    this.place = h('b', {});
    this.total = h('span', {});
    this.counter = h('span', { class: 'at' }, this.place, ' of ', this.total);
    this.buttons = [
      iconButton('first', 'To the start', () => this.jump(0), 'solid'), iconButton('back', 'Step back', () => this.step(-1), 'solid'), this.toggle,
      iconButton('on', 'Step forward', () => this.step(1), 'solid'), iconButton('last', 'To the end', () => this.jump(this.moves.length), 'solid'),
    ];
    this.speeds = h('div', { class: 'speeds' });
    this.drawSpeeds(speed);
    this.transport = h('div', { class: 'transport-in' }, h('div', {}, this.range),
      h('div', { class: 'transport' }, h('div', { class: 'row' }, this.buttons), this.speeds, h('div', {}, this.counter)));
    const copy = button('Copy moves', () => copyFrom(copy, writeMoves(this.start, this.moves, this.notation, this.runs)), 'plain');
    const replay = button('Copy slidysim link', async () => copyFrom(replay, await replayLink(this.start, this.moves, this.played())), 'plain');
    this.writing = h('div', { class: 'row writing' },
      select('Moves as', NOTATIONS, this.notation, (notation) => { this.notation = notation; this.drawChips(); this.onRest(); }),
      check('Combine runs', this.runs, (runs) => { this.runs = runs; this.drawChips(); this.onRest(); }), copy, replay);
  }

  drawSpeeds(speed) {
    const own = this.times ? [['0', 'As played']] : [];
    this.speeds.replaceChildren(segments('Speed', [...SPEEDS, ...own], speed, (value) => { this.speed = Number(value); this.onRest(); }));
  }

  /** Loads moves on a board. While `hidesMoves` is set, the board stays at the start, and its label has no numbers. */
  load(start, goal, moves, { at = 0, times = null } = {}) {
    const hadTimes = Boolean(this.times);
    Object.assign(this, { start, goal, moves, times });
    if (times || hadTimes) {
      this.speed = times ? 0 : 1;
      this.drawSpeeds(times ? '0' : '1');
    }
    set(this.range, { max: moves.length });
    for (const control of [this.range, ...this.buttons]) control.disabled = moves.length === 0;
    this.jump(this.hidesMoves ? 0 : Math.min(at, moves.length));
    this.drawChips();
  }

  drawChips() {
    if (this.start) this.chips.show(this.start, this.moves, { notation: this.notation, runs: this.runs, at: this.at });
  }

  jump(at, ms = 0) {
    this.board = walk(this.start, this.moves.slice(0, at));
    this.at = at;
    this.draw(ms);
  }

  step(by) {
    this.pause();
    this.advance(by);
  }

  /** Moves some steps forward or back; only a single one slides. */
  advance(by, ms = STEP_MS / Math.max(this.speed || 1, 1)) {
    const at = this.at + by;
    if (at < 0 || at > this.moves.length) return;
    const isOn = by > 0;
    this.board = isOn ? walk(this.board, this.moves.slice(this.at, at)) : walk(this.start, this.moves.slice(0, at));
    this.at = at;
    this.draw(this.speed > SLIDING_SPEED || Math.abs(by) > 1 ? 0 : ms);
  }

  draw(ms) {
    const { at, moves } = this;
    const { tile = null, letter = null } = lastMoved(this.board, moves[at - 1]) ?? {};
    this.view.label = this.hidesMoves ? 'Board' : `Board after move ${at} of ${moves.length}${tile ? `, tile ${tile} has just moved ${tileWord(letter)}` : ''}`;
    this.view.show(this.board, this.goal, { ms, marks: { moved: tile, arrow: letter } });
    this.range.value = at;
    this.range.ariaValueText = `move ${at} of ${moves.length}`;
    setText(this.place, String(at));
    setText(this.total, String(moves.length));
    this.chips.at(at);
    if (!this.isPlaying) this.onRest();
  }

  play() {
    if (this.moves.length === 0) return;
    if (this.at === this.moves.length) this.jump(0);
    this.isPlaying = true;
    setIcon(this.toggle, 'pause', 'Pause');
    let last = performance.now();
    let due = last + this.wait(this.at);
    const frame = (now) => {
      if (!this.isPlaying) return;
      if (now - last > STILL_MS) due += now - last;
      last = now;
      // Slow machines skip frames; several moves in one frame keep the time.
      const next = movesDue(now, { at: this.at, due, count: this.moves.length }, (move) => this.wait(move));
      due = next.due;
      if (next.at > this.at) this.advance(next.at - this.at);
      if (this.at >= this.moves.length) this.pause();
      else this.frame = requestAnimationFrame(frame);
    };
    this.frame = requestAnimationFrame(frame);
  }

  /** Settings of the display for the link, without those that have their default. */
  get shown() {
    const speed = this.speed === 1 || this.speed === 0 ? null : this.speed;
    return { at: this.at || null, speed, notation: this.notation === 'tile' ? null : this.notation, runs: this.runs ? null : 'no' };
  }

  /** Returns the rate and the times of the moves as they were played, if known. */
  played() {
    let ms = 0;
    const times = this.times?.map((wait) => Math.round(ms += wait));
    return times && ms > 0 ? { times, rate: (times.length * 1000) / ms } : {};
  }

  /** Returns the delay before a move, in milliseconds. */
  wait(move) {
    return this.speed ? STEP_MS / this.speed : this.times?.[move] ?? STEP_MS;
  }

  pause() {
    this.isPlaying = false;
    cancelAnimationFrame(this.frame);
    setIcon(this.toggle, 'play', 'Play');
    if (this.start) this.onRest();
  }

  /** Handles keys: arrows step, Home and End jump, space plays. */
  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.('input, select, textarea, summary')) return;
    const isOnButton = event.target.closest?.('button, a');
    if (event.key === ' ' && !isOnButton) this.isPlaying ? this.pause() : this.play();
    else if (event.key === 'ArrowRight') this.step(1);
    else if (event.key === 'ArrowLeft') this.step(-1);
    else if (event.key === 'Home' || event.key === 'End') {
      this.pause();
      this.jump(event.key === 'Home' ? 0 : this.moves.length);
    }
    else return;
    event.preventDefault();
  }
}
