/** Where on the page one is: in the fragment of its address, so that every view has a link. */

const VIEWS = ['logins', 'keep', 'paste', 'sign-in', 'compare'] as const;
export type View = (typeof VIEWS)[number];

export interface Address {
  view: View;
  /** Of the login or of the sign-in, or the name of the function that is compared; null for none. */
  id: string | null;
  query: URLSearchParams;
}

/** @param hash e.g. `#/logins/openidLoggedIn.entra?outcome=forbidden`; anything unknown is the list of logins */
export function addressIn(hash: string): Address {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?');
  const [name = '', id = ''] = path.split('/');
  const view = VIEWS.find((one) => one === name) ?? 'logins';
  return { view, id: name === view ? decoded(id) || null : null, query: new URLSearchParams(query) };
}

/** @param query what is null or empty is left out */
export function hrefTo(
  view: View,
  id: string | null = null,
  query: Readonly<Record<string, string | null>> = {},
): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const path = id === null ? `#/${view}` : `#/${view}/${encodeURIComponent(id)}`;
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** A link that a person broke is a link to nothing, not an error. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
