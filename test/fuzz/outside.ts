/** The systems outside that issuers and worked handlers speak to: each answer follows from the request alone. */
import type { IncomingMessage } from 'node:http';
import { type LocalProxy, proxyTo } from '../support/proxy.ts';
import { httpsServer, type LocalServer, sendJson } from '../support/servers.ts';
import { ISSUER, type IssuerKeys, OTHER_ISSUER, publicJwk } from './keys.ts';
import { ADMINISTRATORS, EDITORS, TENANT } from './workedMappings.ts';

/** Those whom the directory knows. */
export const PEOPLE = ['ada', 'bob'];
/** What stands elsewhere in the directory's system, and is nobody's who logs in. */
const NOT_A_PERSON = 'admin';

type Answer = (rest: string[], request: IncomingMessage, base: string) => { status?: number; json: unknown };

/** By whose fixed addresses Entra and Microsoft Graph are asked. */
const MICROSOFT = ['login.microsoftonline.com', 'graph.microsoft.com'];

/** `env`: of a process that asks them. */
export async function outsideSystems(
  keys: IssuerKeys,
): Promise<LocalServer & Pick<LocalProxy, 'env'> & { ca: string }> {
  const answers: Readonly<Record<string, Answer>> = {
    keys: () => ({ json: { keys: keys[ISSUER].map(publicJwk) } }),
    other: () => ({ json: { keys: keys[OTHER_ISSUER].map(publicJwk) } }),
    shared: ([key]) => ({ json: { key } }),
    '.well-known': (_, __, base) => ({ json: { issuer: base, userinfo_endpoint: `${base}/userinfo` } }),
    userinfo: (_, { headers }) => ({ json: JSON.parse(claimsIn(headers.authorization)) }),
    orcid: ([id = '']) => ({ json: { email: orcidEmails(id) } }),
    directory: personAt,
    [TENANT]: () => ({ json: { access_token: 'graph-token', token_type: 'Bearer', expires_in: 3_600 } }),
    'v1.0': ([, oid = '']) => ({ json: { value: groupsOf(oid) } }),
  };
  const answer: Parameters<typeof httpsServer>[0] = (request, response) => {
    const [what = '', ...rest] = (request.url ?? '').slice(1).split('/');
    const { status = 200, json } = answers[what]?.(rest, request, server.url) ?? { status: 404, json: {} };
    sendJson(response, json, status);
  };
  const server = await httpsServer(answer, 'localhost', ...MICROSOFT);
  const proxy = await proxyTo(Object.fromEntries(MICROSOFT.map((host) => [host, server.url])));
  const close = async () => {
    await proxy.close();
    await server.close();
  };
  return { ...server, env: proxy.env, close };
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
