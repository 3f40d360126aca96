// Settings of Play stored in the browser, and whether solves are. Nothing is stored if storage is disabled.
const KEY = 'loyd.play';

const DEFAULTS = {
  hover: false, colours: 'rows', mode: 'single', relay: '2x2 3x3 4x4 5x5', marathon: 5, inspection: false, picture: 'none', level: 1,
  measure: 'time', hasSolves: false, isSessionClosed: false,
};

/** Returns the settings. Missing settings, and those of another type, have their default. */
export function storedSettings() {
  const settings = { ...DEFAULTS };
  try {
    const stored = JSON.parse(localStorage.getItem(KEY)) ?? {};
    for (const name of Object.keys(DEFAULTS)) if (typeof stored[name] === typeof DEFAULTS[name]) settings[name] = stored[name];
  } catch { /* storage is disabled or damaged */ }
  return settings;
}

export function storeSettings(settings) {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch { /* storage is disabled or full */ }
}

/** Returns whether the trainer is needed before the first solve: there are solves, or a mode other than the usual one. */
export function needsTrainer({ mode, inspection, picture, hover, hasSolves }) {
  return mode !== 'single' || inspection || picture !== 'none' || hover || hasSolves;
}
