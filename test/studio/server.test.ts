/** The studio's server over HTTP, on the built functions: who is let in, and what the page is told. */

import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Engine } from '../../tools/local/engine.ts';
import { sampleEvent } from '../../tools/local/events.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { Stage } from '../../tools/shared/stage.ts';
import type {
  Changed,
  Comparison,
  KeepPlan,
  LoginDetail,
  LoginRow,
  MappingCoverage,
  Pasted,
  Project,
  SignInResult,
} from '../../tools/studio/api.ts';
import { bundlePage } from '../../tools/studio/pageBundle.ts';
import { type Studio as Listening, listenStudio } from '../../tools/studio/server/server.ts';
import { Studio } from '../../tools/studio/server/studio.ts';
import { freePort } from '../support/freePort.ts';
import { projectSamples } from '../support/projectSamples.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { openIdEvent } from '../support/wire.ts';

let port: number;
let engine: Engine;
let studio: Studio;
let listening: Listening;
let token: string;

beforeAll(async () => {
  port = await freePort();
  engine = await Engine.open({
    stage: new Stage('dev', { ...process.env, LOGIN_HOOKS_ENV_FOLDER: envFolder }),
  });
  studio = new Studio(Promise.resolve(engine));
  listening = await listenStudio({ port, page: bundlePage(), studio: studio.state, stage: engine.stage });
  await studio.answered;
  token = new URL(listening.address).hash.replace('#token=', '');
}, 60_000);

afterAll(async () => {
  await listening.close();
  await engine.close();
});
const envFolder = temporaryFolder();

interface Sent {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

/** By `node:http`, which lets a test choose every header. Each has a connection: one whose body is not read is closed. */
function send(path: string, headers: Record<string, string> = {}, method = 'GET', body?: string) {
  return new Promise<Sent>((resolve, reject) => {
    request(`http://127.0.0.1:${port}${path}`, { method, headers, agent: false }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    })
      .on('error', reject)
      .end(body);
  });
}

const withToken = () => ({ authorization: `Bearer ${token}` });

async function get<TBody>(path: string): Promise<TBody> {
  const { status, text } = await send(path, withToken());
  expect([path, status]).toEqual([path, 200]);
  return JSON.parse(text) as TBody;
}

describe('lets nobody in', () => {
  test.each([
    ['without a token', {}, 401],
    ['with a guessed token', { authorization: 'Bearer 0000' }, 401],
    ['with a token in a cookie', { cookie: 'token=TOKEN' }, 401],
    ['with another scheme', { authorization: 'Basic TOKEN' }, 401],
    ['with more than the token', { authorization: 'Bearer TOKENA' }, 401],
    ['with a list of the token', { authorization: 'Bearer ["TOKEN"]' }, 401],
    ['with the token without a scheme', { authorization: 'TOKEN' }, 401],
    ['with half of the token', { authorization: 'Bearer HALF' }, 401],
    ['under another name', { authorization: 'Bearer TOKEN', host: 'rebound.example:PORT' }, 421],
    ['under its name without the port', { authorization: 'Bearer TOKEN', host: 'localhost' }, 421],
    ['under the name of another port', { authorization: 'Bearer TOKEN', host: 'localhost:1' }, 421],
    [
      'with its name behind another one',
      { authorization: 'Bearer TOKEN', host: 'localhost.x.example:PORT' },
      421,
    ],
    ['under the address of this network', { authorization: 'Bearer TOKEN', host: '127.1:PORT' }, 421],
    ['under its address of IPv6', { authorization: 'Bearer TOKEN', host: '[::1]:PORT' }, 421],
    ['under a name that a proxy forwards', { host: 'x.example', 'x-forwarded-host': 'localhost:PORT' }, 421],
    ['under its name, written fully', { authorization: 'Bearer TOKEN', host: 'localhost.:PORT' }, 421],
  ])('%s', async (_, template, expected) => {
    const filled = JSON.stringify(template)
      .replaceAll('HALF', token.slice(0, token.length / 2))
      .replaceAll('TOKEN', token)
      .replaceAll('PORT', String(port));
    const { status, headers, text } = await send('/api/logins', JSON.parse(filled));
    expect([status, Object.keys(JSON.parse(text))]).toEqual([expected, ['message']]);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  test('with the token in the query', async () => {
    expect((await send(`/api/logins?token=${token}`)).status).toBe(401);
  });
});

test.each(['/', '/studio.js', '/studio.css', '/api/logins', '/nothing'])(
  '%s is safe to load',
  async (path) => {
    const { headers } = await send(path);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    });
  },
);

test.each([
  ['a path in the id of a login', 'GET', '/api/logins/..%2f..%2fpackage.json', 404, ''],
  ['a login that is not there', 'GET', '/api/logins/nobody', 404, ''],
  ['a path as a handler', 'GET', '/api/compare/openidLoggedIn?with=../../etc/passwd', 404, ''],
  ['a body of more than 10 MB', 'POST', '/api/logins/nobody/ask', 413, 'x'.repeat(10_000_001)],
])('refuses %s', async (_, method, path, expected, body) => {
  const { status, text } = await send(path, withToken(), method, body);
  expect([status, Object.keys(JSON.parse(text))]).toEqual([expected, ['message']]);
});

test.each([
  '/api/logins/../../package.json',
  '/api/logins/..%5c..%5cpackage.json',
  '/api/logins/%00',
  '/api/logins/%',
  '/api/logins/__proto__',
  `/api/logins/${'a'.repeat(10_000)}`,
  '/api/compare/openidLoggedIn?with=__proto__',
  '/api/compare/..%2f..%2fpackage.json',
  '/..%2fpackage.json',
  '/studio.js/../../api.ts',
  '//evil.example/',
  '/.env',
])('a path in place of an id names no file: %s', async (path) => {
  const { status, text } = await send(path, withToken());
  expect([400, 404]).toContain(status);
  expect(text).not.toMatch(/LoggedIn|Lovelace|"version"|^import /m);
});

test.each(['TRACE', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'POST'])(
  '%s of what is read does nothing',
  async (method) => {
    for (const path of ['/', '/studio.js', '/api/logins', '/api/changes']) {
      const { status, headers } = await send(path, withToken(), method);
      expect([path, status >= 400 && status < 500]).toEqual([path, true]);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  },
);

test('a body of more than 10 MB is refused, where its length is not told', async () => {
  const headers = { ...withToken(), 'transfer-encoding': 'chunked' };
  expect((await send('/api/paste', headers, 'POST', 'x'.repeat(10_000_001))).status).toBe(413);
});

test('lists all samples, each with a sentence and as expected', async () => {
  const rows = await get<LoginRow[]>('/api/logins');
  const known = (await projectSamples()).map(({ functionName, name }) => `${functionName}.${name}`);
  const asExpected = rows.filter(({ verdict }) => verdict === 'expected').map(({ id }) => id);
  expect(asExpected).toEqual(expect.arrayContaining(known));
  expect(rows.find(({ id }) => id === 'openidLoggedIn.entra')).toMatchObject({
    type: 'AuthorizedUserResponse',
    sentence: expect.stringMatching(/^Authorized as Grace Hopper, \S+@\S+$/),
  });
});

test.each([
  [
    'openidLoggedIn.keycloak-unverified-email',
    'Error: the provider says that the e-mail address is not verified',
  ],
  ['openidLoggedIn.keycloak-suspended', 'Forbidden: in group suspended, which rules[1] denies'],
  ['openidLoggedIn.orcid', 'Error: no source has email'],
  ['openidLoggedIn.entra-other-tenant', 'Forbidden: the mapping does not list the issuer https://'],
  ['samlLoggedIn.directory-other-issuer', 'Forbidden: handlers/directory-lookup says: '],
  [
    'openidLoggedIn.http-invalid-event',
    'Error: the event is not valid: idToken.sub: expected a string (missing)',
  ],
])('%s in one sentence', async (id, sentence) => {
  const rows = await get<LoginRow[]>('/api/logins');
  expect(rows.find((row) => row.id === id)?.sentence).toMatch(new RegExp(`^${RegExp.escape(sentence)}`));
});

test('tells how a login came about, and no token', async () => {
  const detail = await get<LoginDetail>('/api/logins/openidLoggedIn.entra-groups');
  const { event, explanation, evidence, ruleTexts, command } = detail;
  expect(explanation.groups?.values[0]).toMatchObject({ rows: ['groups.table[1]'] });
  const [path = '', text = ''] = Object.entries(ruleTexts).at(-1) ?? [];
  expect(text).toMatch(/^\["d7f9a3b1-[^"]+","0c1d2e3f-[^"]+"\]$/);
  expect(evidence[0]).toEqual({ title: 'Allowed by', text: `${path}: ${text}`, at: null });
  expect((event as { accessToken: string }).accessToken).toMatch(/^.{12}… \(\d+ characters\)$/);
  expect(command).toBe(
    'npm run login -- openid events/openidLoggedIn/entra-groups.json --handler handlers/entra-group-table --at-event-time --explain',
  );
});

test('tells what a handler of code read, and marks it in the event', async () => {
  const { reads, explanation } = await get<LoginDetail>('/api/logins/openidLoggedIn.orcid-other-issuer');
  expect(reads).toMatchObject({ reads: [{ place: 'idToken.iss' }, { place: 'idToken.sub' }], problem: null });
  expect(explanation.marks).toEqual([
    { path: ['idToken', 'iss'], field: 'read' },
    { path: ['idToken', 'sub'], field: 'read' },
  ]);
});

test('a login that comes is shown as it was answered, and compared with its own answer later', async () => {
  const { logins } = await studio.state;
  const event = openIdEvent();
  const way = { functionName: 'openidLoggedIn', isChecked: true, isLive: true, requests: 'live' } as const;
  await logins.received('openidLoggedIn', event, await engine.invoke({ ...way, event, frozenTime: null }));
  const [row] = (await get<LoginRow[]>('/api/logins')).filter(({ origin }) => origin === 'received');
  expect(row).toMatchObject({ functionName: 'openidLoggedIn', type: 'AuthorizedUserResponse', changes: [] });
  expect(await get<LoginDetail>(`/api/logins/${row?.id}`)).toMatchObject({ isChecked: true, moment: null });
  await studio.changed({ files: [], problem: null });
  const later = await get<LoginDetail>(`/api/logins/${row?.id}`);
  expect(later).toMatchObject({ isChecked: false, moment: event.idToken.iat * 1_000, changes: [] });
});

test('a login that was refused when it came says so, whatever later answers to it are', async () => {
  const { logins } = await studio.state;
  const [functionName, event] = ['openidLoggedIn', openIdEvent()] as const;
  const way = {
    functionName,
    handlerModule: 'handlers/email-domain',
    isChecked: true,
    isLive: true,
  } as const;
  const refused = await engine.invoke({ ...way, event, frozenTime: null, requests: 'live' });
  await logins.received(functionName, event, refused);
  const newest = async () =>
    (await get<LoginRow[]>('/api/logins')).findLast(({ origin }) => origin === 'received');
  expect(await newest()).toMatchObject({ reason: 'issuer_not_listed', cameAs: null });
  await studio.changed({ files: [], problem: null });
  expect(await newest()).toMatchObject({ reason: 'authorized', cameAs: 'issuer_not_listed' });
});

describe('the editor', () => {
  const folder = temporaryFolder();

  async function open(what: string, command: string) {
    const file = join(folder, command);
    await rm(join(folder, 'opened'), { force: true });
    if (command !== 'absent')
      await writeFile(file, `#!/bin/sh\necho "$1" > "${folder}/opened"\n`, { mode: 0o755 });
    process.env.LAUNCH_EDITOR = file;
    const path = `/api/logins/openidLoggedIn.entra-groups/editor/${what}`;
    const { status, text } = await send(path, withToken(), 'POST');
    return { status, told: JSON.parse(text) };
  }
  const opened = async () => (await readFile(join(folder, 'opened'), 'utf8').catch(() => '')).trim();

  test.each([
    ['handler', 'handlers/entra-group-table.ts'],
    ['event', 'events/openidLoggedIn/entra-groups.json'],
  ])('opens the %s, and the page is told', async (what, file) => {
    expect(await open(what, 'own-editor')).toEqual({
      status: 200,
      told: { opened: `Opened ${file} in own-editor` },
    });
    while ((await opened()) === '') await setTimeout(20);
    expect(await opened()).toBe(join(PROJECT, file));
  });

  test.each([
    ['failure', 'own-editor', 'there is no file to open'],
    ['constructor', 'own-editor', 'there is no file to open'],
    [
      'handler',
      'vi',
      'vi works in a terminal only, so handlers/entra-group-table.ts was not opened. Set LAUNCH_EDITOR',
    ],
    ['handler', 'absent', 'absent did not open handlers/entra-group-table.ts: spawn'],
  ])('does not open the %s in %s', async (what, command, message) => {
    const { status, told } = await open(what, command);
    expect([status, told.message]).toEqual([409, expect.stringContaining(message)]);
    expect(await opened()).toBe('');
  });
});

test('a paste is listed with its findings, and rubbish is told', async () => {
  const paste = async (text: string) => {
    const body = JSON.stringify({ text });
    return JSON.parse((await send('/api/paste', withToken(), 'POST', body)).text) as Pasted;
  };
  const { captures } = await paste(JSON.stringify(openIdEvent()));
  const detail = await get<LoginDetail>(`/api/logins/${captures[0]?.id}`);
  expect(detail).toMatchObject({ origin: 'pasted', isChecked: false, findings: captures[0]?.findings });
  const refused = await paste(JSON.stringify(await sampleEvent('openidLoggedIn', 'orcid')));
  const [first] = refused.captures[0]?.findings ?? [];
  expect(first).toMatchObject({ level: 'problem', code: 'profile_incomplete' });
  // A sample that expects it has nothing to mend.
  expect(await get<LoginDetail>('/api/logins/openidLoggedIn.orcid')).toMatchObject({ findings: [] });
  expect(await paste('rubbish')).toEqual({ captures: [], problem: expect.stringContaining('expected') });
});

test('a paste is answered in the form that the settings name, a sample in that of its expected response', async () => {
  const settings = join(engine.stage.folder, '.env.dev');
  await writeFile(settings, 'OPENID_EXTERNAL_ID=sub');
  try {
    engine.stage.refresh();
    const { logins } = await studio.state;
    const event = openIdEvent();
    const pasted = await logins.pasted('openidLoggedIn', event, 'with an identifier', []);
    expect(pasted.answered.response).toMatchObject({ external_id: event.idToken.sub });
    await studio.changed({ files: [], problem: null });
    expect(logins.get('openidLoggedIn.entra')).toMatchObject({ verdict: { kind: 'expected' } });
  } finally {
    await rm(settings);
    engine.stage.refresh();
  }
});

test.each([
  ['no JSON', '{', 400],
  ['another form', '{"text": 1}', 422],
  ['a list', '[]', 422],
  ['a form of a page', 'text=a', 400],
  ['nesting of 100,000', '['.repeat(100_000) + ']'.repeat(100_000), 422],
])('refuses a paste of %s', async (_, body, expected) => {
  const { status, text } = await send('/api/paste', withToken(), 'POST', body);
  expect([status, Object.keys(JSON.parse(text))]).toEqual([expected, ['message']]);
});

describe('keeping a login', () => {
  const plan = async (name: string) => {
    const body = JSON.stringify({ name });
    const { text } = await send('/api/logins/openidLoggedIn.entra/keep', withToken(), 'POST', body);
    return JSON.parse(text) as KeepPlan;
  };

  test('shows what stays, and writes nothing before it is confirmed', async () => {
    const { id, stays, blockers, files } = await plan('of-a-plan');
    expect([typeof id, blockers]).toEqual(['string', []]);
    expect(stays.map(({ why }) => why)).toContain('the issuer');
    expect(files.filter((file) => existsSync(join(PROJECT, file)))).toEqual([]);
  });

  test.each(['../escape', 'a\\b', 'x\u0000', '.hidden', 'entra', 'Grace', ''])(
    'refuses the name %j',
    async (name) => {
      const { id, blockers } = await plan(name);
      expect([id, blockers.length > 0]).toEqual([null, true]);
    },
  );

  test.each([
    ['openidLoggedIn.entra-no-such-group', 'entra-without-group'],
    ['openidLoggedIn.keycloak-unverified-email', 'keycloak-email-unverified'],
    ['samlLoggedIn.keycloak-staff', 'keycloak-one-group'],
  ])('proposes a name: %s', async (id, name) => {
    expect(await get(`/api/logins/${id}/keep`)).toEqual({ name });
  });

  test('knows no plan that nobody made', async () => {
    expect((await send('/api/keeps/0000', withToken(), 'POST')).status).toBe(404);
  });
});

test('an event that is nested without end is listed, and not shown', async () => {
  const { logins } = await studio.state;
  const event = { idToken: JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) };
  const { id } = await logins.pasted('openidLoggedIn', event, 'deep', []);
  const detail = await get<LoginDetail>(`/api/logins/${id}`);
  expect(detail).toMatchObject({
    event: expect.stringContaining('nested deeper'),
    type: null,
    reason: 'error',
  });
  await studio.changed({ files: [], problem: null });
});

describe('a callback that belongs to no sign-in', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  test.each([
    ['openid', 'GET', '/callback/openid?state=guessed&code=x', {}, ''],
    ['openid', 'GET', '/callback/openid', {}, ''],
    ['saml', 'POST', '/callback/saml', form, 'SAMLResponse=x&RelayState=guessed'],
    ['saml', 'POST', '/callback/saml', form, ''],
  ])('of %s leads to the shell, which says so: %s %s', async (protocol, method, path, headers, body) => {
    const { status, headers: sent } = await send(path, headers, method, body);
    expect([status, sent.location]).toEqual([303, `/#/sign-in/none-${protocol}`]);
    const { refused } = await get<SignInResult>(`/api/sign-ins/none-${protocol}`);
    expect(refused?.ours).toContain('No sign-in is waiting for this callback');
  });

  test('of saml by redirect, as of a logout, says in words that nothing changed', async () => {
    const { status, text } = await send('/callback/saml?SAMLRequest=fVLJ&RelayState=x');
    expect([status, text]).toEqual([405, expect.stringMatching(/^This is where sign-ins by SAML come back/)]);
  });

  test('is limited in its size', async () => {
    const body = `SAMLResponse=${'x'.repeat(1_500_001)}`;
    expect((await send('/callback/saml', form, 'POST', body)).status).toBe(413);
  });
});

test('a handler is offered for the kind of login that its source is for', async () => {
  const { functions } = await get<Project>('/api/project');
  const [openid, saml] = functions.map(({ handlers }) => handlers);
  expect(openid).toEqual(expect.arrayContaining(['handlers/orcid-email', 'handlers/entra-groups']));
  expect(saml).toEqual(expect.arrayContaining(['handlers/staff-group', 'handlers/directory-lookup']));
  expect(openid?.filter((handler) => saml?.includes(handler))).toEqual([]);
});

describe('a login by another handler', () => {
  const login = (id: string, handler: string) => `/api/logins/${id}?${new URLSearchParams({ handler })}`;

  test.each([
    ['handlers/keycloak-roles', 'openidLoggedIn.entra', 'ForbiddenResponse', 'other'],
    ['default', 'openidLoggedIn.entra-other-tenant', 'AuthorizedUserResponse', 'other'],
  ])('is answered by %s, and stays in the list as it was', async (handler, id, type, verdict) => {
    const rows = await get<LoginRow[]>('/api/logins');
    expect(await get<LoginDetail>(login(id, handler))).toMatchObject({ handler, type, verdict });
    expect(await get<LoginRow[]>('/api/logins')).toEqual(rows);
  });

  test.each(['handlers/staff-group', 'handlers/nothing', '../../etc/passwd', ''])(
    'is not answered by %j, which is for no login of its kind',
    async (handler) => {
      expect((await send(login('openidLoggedIn.entra', handler), withToken())).status).toBe(404);
    },
  );
});

test('a login is listed with the name of its person and with its issuer', async () => {
  const rows = await get<LoginRow[]>('/api/logins');
  const shown = (id: string) => {
    const { person, issuer } = rows.find((row) => row.id === id) ?? {};
    return [person, issuer];
  };
  const entra = 'https://login.microsoftonline.com/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/v2.0';
  expect(shown('openidLoggedIn.entra')).toEqual(['Grace Hopper', entra]);
  expect(shown('openidLoggedIn.keycloak-suspended')[0]).toMatch(/^\S+ \S+$/);
  expect(shown('openidLoggedIn.http-invalid-event')[0]).toBeNull();
});

test('another handler is compared over all events of a kind, field by field', async () => {
  const { rows } = await get<Comparison>('/api/compare/samlLoggedIn?with=handlers/staff-group');
  const keycloak = rows.find(({ name }) => name === 'keycloak');
  expect(keycloak?.differences.map(({ field }) => field)).toEqual(['user_group_uuids']);
  expect(rows.find(({ name }) => name === 'keycloak-staff')?.differences).toEqual([]);
});

test('the coverage names each mapping that answered', async () => {
  const mappings = await get<MappingCoverage[]>('/api/coverage/samlLoggedIn');
  const federation = mappings.find(({ handler }) => handler === 'handlers/edugain-federation');
  expect(federation?.coverage.rules.filter(({ isHit }) => isHit)).not.toEqual([]);
});

test.each<[string, 'GET' | 'HEAD', abortAfterMs: number]>([
  ['that is read', 'GET', 200],
  ['that is left at once', 'GET', 0],
  ['that is not to be read', 'HEAD', 200],
])('after a stream %s, nobody listens any more', async (_, method, abortAfterMs) => {
  const { logins } = await studio.state;
  const listen = logins.listen.bind(logins);
  let listening = 0;
  logins.listen = (onChange) => {
    const end = listen(onChange);
    listening += 1;
    return () => {
      listening -= 1;
      end();
    };
  };
  const asking = request(`http://127.0.0.1:${port}/api/changes`, { method, headers: withToken() });
  asking.on('response', (response) => response.on('error', () => {}).resume()).on('error', () => {});
  asking.end();
  await setTimeout(abortAfterMs);
  asking.destroy();
  while (listening > 0) await setTimeout(20);
  logins.listen = listen;
  expect(listening).toBe(0);
});

test('changes are streamed: all logins at first, and after each change', async () => {
  const response = await fetch(`http://localhost:${port}/api/changes`, { headers: withToken() });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  const next = async (): Promise<Changed> => {
    while (!text.includes('\n\n')) text += decoder.decode((await reader.read()).value, { stream: true });
    const end = text.indexOf('\n\n');
    const data = text.slice(0, end).replace(/^.*?data: /s, '');
    text = text.slice(end + 2);
    return JSON.parse(data) as Changed;
  };
  expect((await next()).logins.length).toBeGreaterThan(50);
  await studio.saving();
  expect((await next()).project.served.state).toBe('saving');
  const problem = 'handlers/own.ts:1:1: expected something';
  await studio.changed({ files: [], problem });
  const refused = (await next()).project;
  expect([refused.problems, refused.served.state]).toEqual([[problem], 'refused']);
  await reader.cancel();
  await studio.changed({ files: [], problem: null });
});
