/** Where the person is: a page, the record that it shows, and the filters of its list. */
export interface ConsolePlace {
  page: string;
  id: string | null;
  query: URLSearchParams;
}

/**
 * The place that the address names behind `#`: there it needs nothing of the server, whatever path a proxy serves the console
 * under, and stays out of its logs.
 */
export function placeOf({ hash }: Pick<Location, 'hash'>): ConsolePlace {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const [page = '', id = ''] = path.split('/');
  return {
    page: page === '' ? 'work' : page,
    id: id === '' ? null : decoded(id),
    query: new URLSearchParams(search),
  };
}

/** An address that was typed or cut off may be no code at all; there is no such record then. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

export function pathTo(page: string, id?: string | number): string {
  return id === undefined ? `#/${page}` : `#/${page}/${encodeURIComponent(id)}`;
}

/** Goes to a page; the browser's back button leads back. */
export function go(path: string): void {
  location.hash = path;
}

/** Changes filters of the list that is shown. An empty value takes the filter away. */
export function filterBy(changes: Readonly<Record<string, string>>): void {
  const { page, query } = placeOf(location);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') query.delete(name);
    else query.set(name, value);
  }
  const search = query.size === 0 ? '' : `?${query.toString()}`;
  history.replaceState(null, '', pathTo(page) + search);
  dispatchEvent(new Event('hashchange'));
}
