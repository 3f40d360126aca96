// Settings of Play at work: input, colours, pictures, modes and levels.
import { note } from '../parts/controls.js';
import { announce, fill } from '../parts/dom.js';
import { openPicture, paintTiles, shrink } from '../parts/picture.js';
import { LEVELS, settingsFields } from '../parts/play_settings.js';
import { MOST_STAGES } from '../puzzle/kind.js';
import { parseRelay } from './modes.js';

const LEVEL_SIZE = { width: 3, height: 3 };
const isLevelSize = ({ size, goalText }) => size.width === LEVEL_SIZE.width && size.height === LEVEL_SIZE.height && !goalText;

export class Looks {
  /** `onSet(change)` stores settings. */
  constructor(play, store, onSet) {
    Object.assign(this, { play, store, onSet, details: null, image: null, picture: 'none' });
    play.view.onBuild = () => { if (this.image) paintTiles(play.view, this.image); };
  }

  get settings() {
    return this.play.settings;
  }

  /** Applies the settings to the board. Its tiles are created again only if they look different, because that takes their focus. */
  async apply() {
    const { play: { view }, settings, image } = this;
    const isOtherColour = view.colours !== settings.colours;
    Object.assign(view, { hover: settings.hover, colours: settings.colours, isFrozen: view.isFrozen && settings.hover });
    if (this.picture !== settings.picture) await this.loadPicture();
    if (!isOtherColour && image === this.image) return;
    view.board.classList.toggle('pictures', Boolean(this.image));
    view.rebuild();
    this.play.refresh();
  }

  async loadPicture() {
    const { picture } = this.settings;
    Object.assign(this, { picture, image: null });
    try {
      const blob = picture === 'own' ? await this.store.picture() : null;
      const image = picture !== 'none' && (picture !== 'own' || blob) ? await openPicture(blob) : null;
      // Another picture may have been chosen in the meantime.
      if (this.picture === picture) this.image = image;
    } catch (error) {
      this.warn('The picture could not be shown.', error.message);
    }
  }

  warn(strong, rest) {
    fill(this.play.message, note('bad', strong, rest));
  }

  /** Shows the settings in a details element that the reader has opened. */
  showSettings(details) {
    this.details = details;
    if (details.open) this.draw();
  }

  draw() {
    const [summary, old] = this.details.children;
    const fields = settingsFields(this.settings, {
      set: (change) => this.set(change),
      relay: (text) => this.setRelay(text),
      marathon: (text) => this.setMarathon(text),
      picture: (picture) => this.set({ picture }),
      file: (file) => this.takeFile(file),
      level: (level) => this.playLevel(level),
    });
    if (!old) this.details.append(fields);
    // The fields are filled in place, so that the focus stays on the control.
    else fill(old, [...fields.childNodes]);
    return summary;
  }

  async set(change) {
    const { play } = this;
    this.onSet(change);
    await this.apply();
    play.trainer.modes.draw();
    if (this.details?.open) this.draw();
    if (['mode', 'relay', 'marathon', 'inspection'].some((name) => name in change)) this.begin();
  }

  /** Starts a game in the chosen mode. During a game, the mode takes effect with the next scramble. */
  begin() {
    const { play } = this;
    if (!play.game.moves || play.isOver) play.scramble();
    else announce('This takes effect with the next scramble.');
  }

  /** Returns whether a list of sizes is valid, and stores it if it is. */
  setRelay(text) {
    const isValid = Boolean(parseRelay(text));
    if (isValid) this.set({ relay: text.trim() });
    else this.warn(`“${text.slice(0, 40)}” is not a list of sizes.`, 'Write 2 to 100 sizes, such as 2x2 3x3 4x4. Sides have 2 to 16 cells.');
    return isValid;
  }

  /** Returns whether a number of boards of a marathon is valid, and stores it if it is. */
  setMarathon(text) {
    const count = Number(text);
    const isValid = Number.isInteger(count) && count >= 2 && count <= MOST_STAGES;
    if (isValid) this.set({ marathon: count });
    else this.warn(`“${text}” is not a number of boards.`, `Write a whole number from 2 to ${MOST_STAGES}.`);
    return isValid;
  }

  async takeFile(file) {
    try {
      await this.store.keepPicture(await shrink(file));
      this.picture = null;
      await this.apply();
    } catch (error) {
      this.warn('This picture cannot be used.', error.message);
    }
  }

  /** Starts a board of a level, from 1. */
  async playLevel(level) {
    const { play } = this;
    if (this.settings.mode !== 'single') this.onSet({ mode: 'single' });
    Object.assign(play.wanted, { size: LEVEL_SIZE, goalText: '', length: LEVELS[level - 1], isLevel: true });
    await play.scramble();
    if (this.details?.open) this.draw();
    play.view.element.scrollIntoView({ block: 'nearest' });
  }

  /** Opens and returns the level after the one that was solved; null if that was not the highest open one. */
  levelAfter(setup) {
    const { level } = this.settings;
    if (setup.isGiven || !isLevelSize(setup) || level >= LEVELS.length || setup.length !== LEVELS[level - 1]) return null;
    this.onSet({ level: level + 1 });
    if (this.details?.open) this.draw();
    return level + 1;
  }
}
