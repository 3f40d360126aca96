// Links: `#watch?board=2+3+4/…&goal=snake`. A link contains the whole state of a view.

/** Parses the part after `#` into {view, params}. */
export function parseLink(hash) {
  const [view, query = ''] = hash.replace(/^#\/?/, '').split('?');
  return { view, params: Object.fromEntries(new URLSearchParams(query)) };
}

/** Returns the first link of Loyd in a text, as {view, params}; null if there is none. */
export function linkIn(text) {
  const [hash] = /#\/?[a-z]+\?[^\s"'<>“”]*/.exec(text) ?? [];
  return hash ? parseLink(hash) : null;
}

/** Formats the part with `#`, without parameters that are undefined, null or empty. Slashes, commas and semicolons stay readable. */
export function formatLink(view, params = {}) {
  const entries = Object.entries(params).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const query = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return `#${view}${query ? `?${query.replace(/%2F/g, '/').replace(/%2C/g, ',').replace(/%3B/g, ';')}` : ''}`;
}
