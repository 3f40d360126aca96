// Links: `#watch?board=2+3+4/…&goal=snake`. What is in the link is all that a view needs to show the same again.

/** {view, params} of the part after `#`. */
export function parseLink(hash) {
  const [view, query = ''] = hash.replace(/^#\/?/, '').split('?');
  return { view, params: Object.fromEntries(new URLSearchParams(query)) };
}

/** The part with `#`; what is undefined, null or empty is left out. Slashes and commas stay readable. */
export function formatLink(view, params = {}) {
  const kept = Object.entries(params).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const query = new URLSearchParams(kept.map(([name, value]) => [name, String(value)])).toString();
  return `#${view}${query ? `?${query.replace(/%2F/g, '/').replace(/%2C/g, ',')}` : ''}`;
}
