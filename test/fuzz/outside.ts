/** The systems outside that issuers and worked handlers speak to: each answer follows from the request alone. */
import type { IncomingMessage } from 'node:http';
import { httpsServer, type LocalServer, sendJson } from '../support/servers.ts';
import { ISSUER, type IssuerKeys, OTHER_ISSUER, publicJwk } from './keys.ts';
import { ADMINISTRATORS, EDITORS } from './workedMappings.ts';

/** Those whom the directory knows. */
export const PEOPLE = ['ada', 'bob'];
/** What stands elsewhere in the directory's system, and is nobody's who logs in. */
const NOT_A_PERSON = 'admin';

type Answer = (rest: string[], request: IncomingMessage, base: string) => { status?: number; json: unknown };

export async function outsideSystems(keys: IssuerKeys): Promise<LocalServer & { ca: string }> {
  const answers: Readonly<Record<string, Answer>> = {
    keys: () => ({ json: { keys: keys[ISSUER].map(publicJwk) } }),
    other: () => ({ json: { keys: keys[OTHER_ISSUER].map(publicJwk) } }),
    shared: ([key]) => ({ json: { key } }),
    '.well-known': (_, __, base) => ({ json: { issuer: base, userinfo_endpoint: `${base}/userinfo` } }),
    userinfo: (_, { headers }) => ({ json: JSON.parse(claimsIn(headers.authorization)) }),
    orcid: ([id = '']) => ({ json: { email: orcidEmails(id) } }),
    directory: personAt,
    entra: () => ({ json: { access_token: 'graph-token', token_type: 'Bearer', expires_in: 3_600 } }),
    graph: ([, oid = '']) => ({ json: { value: groupsOf(oid).map((id) => ({ id })) } }),
  };
  const server = await httpsServer((request, response) => {
    const [what = '', ...rest] = (request.url ?? '').slice(1).split('/');
    const { status = 200, json } = answers[what]?.(rest, request, server.url) ?? { status: 404, json: {} };
    sendJson(response, json, status);
  });
  return server;
}

/** An access token of UserInfo is what it opens. */
export function userInfoToken(claims: unknown): string {
  return Buffer.from(JSON.stringify(claims)).toString('base64url');
}

function claimsIn(authorization = ''): string {
  return Buffer.from(authorization.replace('Bearer ', ''), 'base64url').toString();
}

/** Each of the first four digits of an ORCID iD is an address, verified if it is odd, the primary one above 4. */
export function orcidEmails(id: string): { email: string; primary: boolean; verified: boolean }[] {
  return [...id.slice(0, 4)].map((digit, index) => ({
    email: `address-${index}-${digit}@example.org`,
    verified: Number(digit) % 2 === 1,
    primary: Number(digit) > 4,
  }));
}

/** The digits of an object id are the groups of this person. */
export function groupsOf(oid: string): string[] {
  return [...(oid.includes('1') ? [ADMINISTRATORS] : []), ...(oid.includes('2') ? [EDITORS] : [])];
}

/** Lenient, as some servers are: decodes the path first, and then goes its steps. */
function personAt(rest: string[]): ReturnType<Answer> {
  const steps: string[] = [];
  for (const step of decodeURIComponent(rest.join('/')).split(/[/\\]/)) {
    if (step === '..') steps.pop();
    else if (step !== '.') steps.push(step);
  }
  const [what, id = '', ...more] = steps;
  if (what !== 'people') return { json: person(NOT_A_PERSON) };
  return PEOPLE.includes(id) && more.length === 0 ? { json: person(id) } : { status: 404, json: {} };
}

function person(id: string) {
  return { givenName: id, sn: id, mail: `${id}@example.org`, department: null };
}
