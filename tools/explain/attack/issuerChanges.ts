/** The same person, by another issuer. */
import { EVIL, type Target, type Variant } from './policy.ts';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

export function byAnotherIssuer({ login, policy }: Target): Variant[] {
  return Object.entries(othersOf(login.issuer))
    .filter(([, issuer]) => !policy.issuers.includes(issuer))
    .map(([what, issuer]) => ({ what, login: login.withIssuer(issuer) }));
}

export function byListedIssuer({ login, policy }: Target): Variant[] {
  return policy.freeIssuers
    .filter((issuer) => issuer !== login.issuer)
    .map((issuer) => ({ what: issuer, login: login.withIssuer(issuer) }));
}

function othersOf(issuer: string): Record<string, string> {
  const [scheme = '', host = ''] = issuer.match(/^[^:]+:(?:\/\/)?|[^/]+/g) ?? [];
  const at = (other: string) => issuer.replace(host, other);
  return {
    'trailing slash': issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`,
    case: issuer === issuer.toUpperCase() ? issuer.toLowerCase() : issuer.toUpperCase(),
    'longer name': `${issuer}.${EVIL}`,
    'another realm or tenant': sibling(issuer),
    foreign: at(`sso.${EVIL}`),
    'look-alike host': at(`${host}.${EVIL}`),
    'before the host': at(`evil-${host}`),
    'before the domain': at(host.replace(/^.*?(?=[^.]+\.[^.]+$)/, 'evil')),
    'a dot replaced': at(host.replace('.', 'x')),
    'user information': `${scheme}${host}@${issuer.slice(scheme.length).replace(host, EVIL)}`,
    ...(scheme.endsWith('//') && {
      'another port': at(`${host.replace(/:\d+$/, '')}:8443`),
      'another scheme': issuer.replace(scheme, scheme === 'http://' ? 'https://' : 'http://'),
    }),
  };
}

/** Another tenant has another UUID, another realm another last segment. */
function sibling(issuer: string): string {
  const tenant = issuer.replace(UUID, '00000000-0000-4000-8000-000000000666');
  if (tenant !== issuer) return tenant;
  const path = issuer.replace(/^[^:]+:\/\/[^/]*/, '');
  const start = issuer.slice(0, issuer.length - path.length);
  return path.length > 1
    ? start + path.replace(/[^/]+(\/?)$/, 'evil$1')
    : `${issuer.replace(/\/$/, '')}/evil`;
}
