/** With `CALLER_CHECK=signature`: over HTTP, nobody gets in but by a request that is signed as it was sent. */
import fc from 'fast-check';
import { newSecret } from '../support/signedRequest.ts';
import { openIdEvent, samlEvent } from '../support/wire.ts';
import type { Ask } from './functions.ts';
import { type Request, sent, signedRequest } from './inputs/signedRequest.ts';
import { demand, invariant } from './invariant.ts';
import { mappings } from './situation.ts';

/** @returns what is otherwise */
type Change = (request: Request, at: number, by: number) => Partial<Request>;

const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

const inHeader = ({ headers }: Request, at: number, edit: (text: string) => unknown) => {
  const name = HEADERS[at % HEADERS.length] ?? '';
  return { headers: { ...headers, [name]: edit(String(headers[name])) } };
};

const BREAKING: Readonly<Record<string, Change>> = {
  'a character of the body': ({ body }, at, by) => ({ body: withCharacter(body, at, by) }),
  'the body cut off': ({ body }, at) => ({ body: body.slice(0, at % body.length) }),
  'the body longer': ({ body }, at) => ({ body: body + ' '.repeat(1 + (at % 3)) }),
  'a character of a header': (request, at, by) =>
    inHeader(request, at, (text) => withCharacter(text, at, by)),
  'a header cut off': (request, at) => inHeader(request, at, (text) => text.slice(0, at % text.length)),
  'a header left out': (request, at) => inHeader(request, at, () => undefined),
  'signed too long ago': ({ body }, at) => signedRequest(body, { ageSeconds: 310 + at }),
  'signed ahead of time': ({ body }, at) => signedRequest(body, { ageSeconds: -310 - at }),
  'another key': ({ body }) => signedRequest(body, { secret: newSecret() }),
};

/** The same request, written in another way. */
const HARMLESS: Readonly<Record<string, Change>> = {
  'nothing at all': () => ({}),
  'a wrong signature before the right one': ({ headers }, at) => {
    const name = 'webhook-signature';
    return { headers: { ...headers, [name]: `v1,${'A'.repeat(at % 60)} ${headers[name]}` } };
  },
  'header names in capitals': ({ headers }) => ({
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
  }),
  'headers of several values': ({ headers }) => ({
    headers: {},
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
  }),
};

const { openId, saml } = await mappings();

function ofFunction(name: string, ask: Ask, event: object): void {
  const signing = fc.record({
    id: fc.constantFrom('msg_1', 'a', '0'.repeat(256)),
    /** Well within the tolerance, so that a slow machine makes no difference. */
    ageSeconds: fc.integer({ min: -250, max: 250 }),
  });
  const place = [fc.nat(10_000), fc.integer({ min: 1, max: 127 })] as const;
  const changed = (what: string, changes: typeof BREAKING, status: number) =>
    invariant(
      `${name}: a signed request ${what}`,
      fc.tuple(signing, fc.boolean(), fc.constantFrom(...Object.keys(changes)), ...place),
      async ([how, isBase64Encoded, change, at, by]) => {
        const request = signedRequest(JSON.stringify(event), how);
        const login = await ask(sent({ ...request, ...changes[change]?.(request, at, by) }, isBase64Encoded));
        demand(login.status === status, `with ${change}: ${login.status} (${login.reason})`);
      },
    );
  changed('that was changed lets nobody in', BREAKING, 401);
  changed('that is sent, or written in another way, gets in', HARMLESS, 200);
}

ofFunction('openidLoggedIn', openId, openIdEvent());
ofFunction('samlLoggedIn', saml, samlEvent());

function withCharacter(text: string, at: number, by: number): string {
  const index = at % text.length;
  return text.slice(0, index) + String.fromCharCode(text.charCodeAt(index) ^ by) + text.slice(index + 1);
}
