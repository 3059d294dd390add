/** Where on the page one is: in the fragment of its address, so that every view has a link. */

export type Route =
  /** `null`: the login that is open already. */
  | { view: 'logins'; id: string | null }
  | { view: 'keep'; id: string }
  | { view: 'paste' }
  /** `null`: the form; else what came of a sign-in. */
  | { view: 'sign-in'; id: string | null }
  /** `null`: the first function, or no other handler yet. */
  | { view: 'compare'; functionName: string | null; other: string | null };

export type View = Route['view'];

const KEEP = 'keep';

/** @param hash e.g. `#/logins/openidLoggedIn%2Fentra`; anything unknown is the list of logins */
export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [view, name = '', action] = path.split('/').map(decoded);
  if (view === 'paste') return { view };
  if (view === 'sign-in') return { view, id: name || null };
  if (view === 'compare') {
    return { view, functionName: name || null, other: new URLSearchParams(query).get('with') };
  }
  if (view !== 'logins' || name === '') return { view: 'logins', id: null };
  return action === KEEP ? { view: 'keep', id: name } : { view: 'logins', id: name };
}

export function hrefOf(route: Route): string {
  switch (route.view) {
    case 'paste':
      return '#/paste';
    case 'sign-in':
      return route.id === null ? '#/sign-in' : `#/sign-in/${encodeURIComponent(route.id)}`;
    case 'keep':
      return `#/logins/${encodeURIComponent(route.id)}/${KEEP}`;
    case 'logins':
      return route.id === null ? '#/logins' : `#/logins/${encodeURIComponent(route.id)}`;
    case 'compare':
      return `#/compare${comparedIn(route)}`;
  }
}

function comparedIn({ functionName, other }: { functionName: string | null; other: string | null }): string {
  if (functionName === null) return '';
  const query = other === null ? '' : `?${new URLSearchParams({ with: other })}`;
  return `/${encodeURIComponent(functionName)}${query}`;
}

/** A link that a person broke is a link to nothing, not an error. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
