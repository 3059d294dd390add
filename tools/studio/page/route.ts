/** Where on the page one is: in the fragment of its address, so that every view has a link. */

export type Route =
  /** `null`: the login that is open already. `handler` answers it in place of the one in force, as a setting names it. */
  | { view: 'logins'; id: string | null; handler?: string }
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
  if (action === KEEP) return { view: 'keep', id: name };
  const handler = new URLSearchParams(query).get('handler');
  return { view: 'logins', id: name, ...(handler !== null && { handler }) };
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
      return route.id === null
        ? '#/logins'
        : `#/logins/${encodeURIComponent(route.id)}${answeredBy(route.handler)}`;
    case 'compare':
      return `#/compare${comparedIn(route)}`;
  }
}

/** Where the server has the open login, as the chosen handler answers it. */
export function loginPath(id: string, { action = '', hash = location.hash } = {}): string {
  const route = routeOf(hash);
  const isOpen = route.view === 'logins' && route.id === id;
  return `/api/logins/${encodeURIComponent(id)}${action}${answeredBy(isOpen ? route.handler : undefined)}`;
}

function answeredBy(handler: string | undefined): string {
  return handler === undefined ? '' : `?${new URLSearchParams({ handler })}`;
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
