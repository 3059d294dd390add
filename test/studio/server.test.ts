/** The studio's server over HTTP, on the built functions: who is let in, and what the page shows. */
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Engine } from '../../tools/local/engine.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { Stage } from '../../tools/shared/stage.ts';
import { detailOf } from '../../tools/studio/detail.ts';
import type { Login } from '../../tools/studio/logins.ts';
import type { Page } from '../../tools/studio/page.tsx';
import { listed } from '../../tools/studio/row.ts';
import { listenStudio } from '../../tools/studio/server.ts';
import { Studio } from '../../tools/studio/studio.ts';
import { Changed } from '../../tools/studio/views/difference.tsx';
import { Evidence } from '../../tools/studio/views/evidence.tsx';
import { freePort } from '../support/freePort.ts';
import { inkOf } from '../support/person.ts';
import { projectSamples, sampleEvent } from '../support/projectSamples.ts';
import { requests } from '../support/studio.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { openIdEvent } from '../support/wire.ts';

const port = await freePort();
const stage = new Stage('dev', { ...process.env, LOGIN_HOOKS_ENV_FOLDER: temporaryFolder() });
const engine = await Engine.open({ stage });
const studio = new Studio(Promise.resolve(engine));
const listening = await listenStudio({ port, studio: studio.state, stage });
await studio.answered;
const shown = requests(listening.address, 0);

afterAll(async () => {
  await listening.close();
  await engine.close();
});

interface Sent {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

/** By `node:http`, which lets a test choose every header. Each has a connection: one whose body is not read is closed. */
function send(path: string, headers: Record<string, string> = {}, method = 'GET', body?: string) {
  return new Promise<Sent>((resolve, reject) => {
    request(`http://127.0.0.1:${port}${path}`, { method, headers, agent: false }, async (response) => {
      // The page has no end.
      const isPage = response.headers['content-type']?.includes('ndjson');
      const text = isPage ? '' : Buffer.concat(await response.toArray()).toString();
      response.destroy();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    })
      .on('error', reject)
      .end(body);
  });
}

const WITH_TOKEN = { authorization: `Bearer ${shown.token}` };
const UNCHANGED = { files: [], problem: null, broken: [] };
async function loginOf(id: string): Promise<Login> {
  const login = (await studio.state).logins.get(id);
  if (!login) throw new Error(`expected ${id}`);
  return login;
}
const main = async (at: string) => inkOf((await shown.page(at)).main);
const PAGE = '/api/page?at=%23%2Flogins';

describe('lets nobody in', () => {
  const { token } = shown;
  const at = (host: string) => ({ ...WITH_TOKEN, host });

  test.each<[string, Record<string, string>, number]>([
    ['without a token', {}, 401],
    ['with a guessed token', { authorization: 'Bearer 0000' }, 401],
    ['with a token in a cookie', { cookie: `token=${token}` }, 401],
    ['with another scheme', { authorization: `Basic ${token}` }, 401],
    ['with more than the token', { authorization: `Bearer ${token}A` }, 401],
    ['with half of the token', { authorization: `Bearer ${token.slice(0, token.length / 2)}` }, 401],
    ['under another name', at(`rebound.example:${port}`), 421],
    ['under its name without the port', at('localhost'), 421],
    ['under the name of another port', at('localhost:1'), 421],
    ['with its name behind another', at(`localhost.x.example:${port}`), 421],
    ['under the address of this network', at(`127.1:${port}`), 421],
    ['under a forwarded name', { host: 'x.example', 'x-forwarded-host': `localhost:${port}` }, 421],
  ])('%s', async (_, sent, expected) => {
    const { status, headers, text } = await send(PAGE, sent);
    expect([status, text]).toEqual([expected, expect.stringMatching(/^\{"message":"expected /)]);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  test('with the token in the query', async () => {
    expect((await send(`${PAGE}&token=${shown.token}`)).status).toBe(401);
  });

  const ACTIONS = ['paste', 'logins/openidLoggedIn.entra/ask', 'keeps/0000', 'sign-in/openid', 'editor/0'];
  test.each(ACTIONS)('by a form without the token: %s', async (action) => {
    expect((await send(`/api/${action}`, {}, 'POST')).status).toBe(401);
  });
});

test('the token of each start is another, and nobody guesses it', async () => {
  const other = await listenStudio({ port: await freePort(), studio: studio.state, stage });
  await other.close();
  const { token } = requests(other.address, 0);
  expect(token).not.toBe(shown.token);
  for (const one of [token, shown.token])
    expect(Buffer.from(one, 'base64url').length).toBeGreaterThanOrEqual(16);
  expect(listening.address).toBe(`http://localhost:${port}/#token=${shown.token}`);
});

const SAFE = {
  ...{ 'cross-origin-resource-policy': 'same-origin', 'cross-origin-opener-policy': 'same-origin' },
  ...{ 'x-frame-options': 'DENY', 'origin-agent-cluster': '?1' },
  ...{ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' },
  'content-security-policy':
    "default-src 'none'; require-trusted-types-for 'script'; trusted-types studio; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
};
const LOADED = ['/', '/client.js', '/idiomorph.js', '/studio.css', '/icon.svg', PAGE, '/nothing'];
test.each(LOADED)('%s is safe to load', async (path) => {
  expect((await send(path)).headers).toMatchObject(SAFE);
});

test.each([
  ['a path in the id of a login', '/api/logins/..%2f..%2fpackage.json/ask', 404],
  ['a login that is not there', '/api/logins/nobody/ask', 404],
  ['a login that every object has', '/api/logins/__proto__/ask', 404],
  ['a plan that nobody made', '/api/keeps/0000', 404],
  ['a protocol that every object has', '/api/sign-in/__proto__', 404],
  ['a file of no mistake', '/api/editor/0', 409],
])('refuses %s', async (_, path, expected) => {
  const { status, text } = await send(path, WITH_TOKEN, 'POST');
  expect([status, Object.keys(JSON.parse(text))]).toEqual([expected, ['message']]);
});

test.each([
  ...['#/logins/../../package.json', '#/logins/..%5c..%5cpackage.json', '#/logins/%00', '#/logins/%'],
  ...['#/logins/__proto__', `#/logins/${'a'.repeat(10_000)}`, '#/keep/__proto__'],
  '#/compare/..%2f..%2fpackage.json?with=__proto__',
  '#/compare/openidLoggedIn?with=../package.json',
  '#/sign-in/__proto__?protocol=__proto__&provider=__proto__',
])('a path in place of an id names no file: %s', async (at) => {
  expect((await shown.page(at)).main).not.toMatch(/"version"|^import /m);
});

const OTHERS = ['/client.js/../../app.ts', '/..%2fpackage.json', '//evil.example/', '/.env', '/api/page.tsx'];
test.each(OTHERS)('no file is served but those of the shell: %s', async (path) => {
  expect((await send(path, WITH_TOKEN)).status).toBe(404);
});

test.each(['TRACE', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'POST'])(
  '%s of what is read does nothing',
  async (method) => {
    for (const path of ['/', '/client.js', PAGE]) {
      const { status, headers } = await send(path, WITH_TOKEN, method);
      expect([path, status >= 400 && status < 500]).toEqual([path, true]);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  },
);

test.each([{}, { 'transfer-encoding': 'chunked' }])('a body of more than 10 MB, with %j', async (headers) => {
  const sent = { ...WITH_TOKEN, ...headers };
  expect((await send('/api/paste', sent, 'POST', 'x'.repeat(10_000_001))).status).toBe(413);
});

describe('the list', () => {
  test('has all samples, and says of each who got in or why not', async () => {
    const logins = await shown.logins();
    const known = (await projectSamples()).map(({ functionName, name }) => `${functionName}.${name}`);
    expect(logins.map(({ id }) => id)).toEqual(expect.arrayContaining(known));
    expect(logins.filter(({ fact }) => fact.length > 90 || fact === '')).toEqual([]);
    const invalid = logins.find(({ id }) => id === 'openidLoggedIn.http-invalid-event');
    expect(invalid?.fact).toMatch(/^Error: the event is not valid: idToken\.sub: expected a string/);
    expect(await loginOf('openidLoggedIn.entra')).toMatchObject({ verdict: { kind: 'expected' } });
  });

  test('is filtered by its outcome', async () => {
    const { list, main: open } = await shown.page('#/logins?outcome=forbidden');
    expect(inkOf(open)).toMatch(/^Forbidden/);
    expect(list).toContain(' data-id="openidLoggedIn.keycloak-suspended-group"');
    expect(list).not.toContain(' data-id="openidLoggedIn.entra"');
  });
});

describe('a login', () => {
  test('says what decided, with the rule as the mapping has it, and no token', async () => {
    const { main: html } = await shown.page('#/logins/openidLoggedIn.entra-groups');
    const text = inkOf(html);
    expect(text).toMatch(/Ruleissuers: .*rules\[0\]\.any_group: \["d7f9a3b1-[^"]+","0c1d2e3f-[^"]+"\]/);
    expect(text).toContain('groups.table[1]');
    expect(text).toMatch(/access_token .{12}… \(\d+ characters\)/);
    const event = 'events/openidLoggedIn/entra-groups.json';
    const options = '--handler handlers/entra-group-table --at-event-time --explain';
    expect(html).toContain(`data-copy="npx login-hooks login openid ${event} ${options}"`);
  });

  test.each([
    ...['openidLoggedIn.orcid', 'openidLoggedIn.keycloak-suspended', 'openidLoggedIn.entra-group-overage'],
    ...['openidLoggedIn.http-invalid-event', 'samlLoggedIn.directory-other-issuer'],
    'samlLoggedIn.glued-mails',
  ])('says what was found, nothing twice, and nothing to change where it is expected: %s', async (id) => {
    const { main: html } = await shown.page(`#/logins/${id}`);
    const [, card = ''] = /aria-label="What decided">(.*?)<\/section>/s.exec(html) ?? [];
    const rows = Array.from(card.matchAll(/<dd>(.*?)<\/dd>/gs), ([, row = '']) => inkOf(row));
    expect(card).toContain('<dt>Found</dt>');
    expect(card).not.toContain('<dt>Change</dt>');
    const said = rows.filter((row, index) => rows.some((other, at) => at !== index && other.includes(row)));
    expect(said).toEqual([]);
    expect(rows.join('')).not.toContain('`');
  });

  const UNVOUCHED = /WarningThe provider does not say that the address is verified/;
  const OF_CODE = /Rulethe code of handlers\/orcid-emailFoundiss: https:\S+sub: 0000-/;

  test.each([
    ['a warning of an address that nobody vouches for', 'samlLoggedIn.keycloak', UNVOUCHED],
    ['what a handler of code read', 'openidLoggedIn.orcid-other-issuer', OF_CODE],
    ['a text that reads like a number', 'openidLoggedIn.http-invalid-event', /exp "1795259400"iat \d/],
    ['a text that reads like a boolean', 'openidLoggedIn.email-verified-as-string', /email_verified "false"/],
    ['a number', 'openidLoggedIn.entra', /exp \d/],
    ['a fallback', 'samlLoggedIn.edugain-foreign-scope', /affiliation *the fallback of the mapping/],
  ])('shows %s', async (_, id, shown) => {
    expect(await main(`#/logins/${id}`)).toMatch(shown);
  });

  test('that is nested without end is listed, and not shown whole', async () => {
    const { logins } = await studio.state;
    const event = { idToken: JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) };
    const { id } = await logins.pasted('openidLoggedIn', event, 'deep', []);
    expect(await main(`#/logins/${id}`)).toContain('nested deeper: it is not shown');
    await studio.changed(UNCHANGED);
  });
});

const receive = async (event: unknown, handlerModule?: string) => {
  const { logins } = await studio.state;
  const functionName = 'openidLoggedIn';
  const way = { functionName, handlerModule, isChecked: true, requests: 'live' } as const;
  await logins.received(functionName, event, await engine.invoke({ ...way, event, frozenTime: null }));
  return logins.all().findLast(({ origin }) => origin === 'received')?.id ?? '';
};

test('a login that comes is first and not seen, is shown as it was answered, and later at its own time', async () => {
  const id = await receive(openIdEvent());
  await studio.changed(UNCHANGED);
  expect(await main(`#/logins/${id}`)).toMatch(/checks off.*at its own time/);
  const other = await receive(openIdEvent());
  const { list } = await shown.page('#/logins/openidLoggedIn.entra');
  expect(list.indexOf(`row-${other}`)).toBeLessThan(list.indexOf(`row-${id}`));
  expect(list.match(/not seen yet/g)).toHaveLength(1);
  expect(await main('#/logins')).toMatch(/CALLER_CHECK=.*at the real time/);
  expect((await shown.page('#/logins')).list).not.toContain('not seen yet');
});

test('what is odd about somebody who gets in is said once', async () => {
  const event = openIdEvent();
  Object.assign(event.idToken.otherClaims, { given_name: 'Ada;Eve' });
  const text = await main(`#/logins/${await receive(event)}`);
  expect(text.match(/Several names may have arrived/g)).toHaveLength(1);
});

test('a login that was refused when it came says so, whatever later answers to it are', async () => {
  const id = await receive(openIdEvent(), 'handlers/email-domain');
  await studio.changed(UNCHANGED);
  expect(await main(`#/logins/${id}`)).toMatch(/^Authorized.*issuer_not_listed when it came/);
});

test('a value of a claim that is called fallback is none of the mapping', async () => {
  const detail = await detailOf(await loginOf('openidLoggedIn.entra'), await studio.state);
  const [field, ...others] = detail.explanation.fields;
  if (!field) throw new Error('expected a field');
  const shownOf = (at: typeof field.at) => {
    const explanation = { ...detail.explanation, fields: [{ ...field, from: 'fallback', at }, ...others] };
    return String(Evidence({ detail: { ...detail, explanation } }));
  };
  expect(shownOf(null)).toContain('the fallback of the mapping');
  expect(shownOf(['id_token', 'fallback'])).not.toContain('the fallback of the mapping');
});

test('what differs beside the type is folded, and the type alone is not', async () => {
  const login = await loginOf('openidLoggedIn.entra');
  const shownOf = async (...fields: string[]) => {
    const changes = fields.map((field) => ({ field, before: `old ${field}`, after: `new ${field}` }));
    const detail = await detailOf({ ...login, changes }, await studio.state);
    return inkOf(String(Changed({ detail })));
  };
  expect(await shownOf('type')).not.toContain('more field');
  expect(await shownOf('type', 'message')).toMatch(/and 1 more field(?!s)/);
  expect(await shownOf('type', 'message', 'email')).toContain('and 2 more fields');
});

test('a login that gets in and should not is the first of the samples, and its heading says so', async () => {
  const right = await loginOf('openidLoggedIn.entra');
  const type = { field: 'type', before: 'ForbiddenResponse', after: 'AuthorizedUserResponse' };
  const wrong: Login = { ...right, verdict: { kind: 'differs', differences: [type] } };
  const failing: Login = { ...right, verdict: { kind: 'failed' } };
  const { samples } = listed([...(await studio.state).logins.all(), failing, wrong], null);
  expect(samples[0]).toMatchObject({ login: wrong, tone: 'bad', outcome: 'authorized' });
  expect(samples[0]?.heading).toMatch(/^Should not get in: authorized as Grace Hopper/);
});

test('a login that login-hooks itself failed on says to report it, though the line that threw is shown', async () => {
  const right = await loginOf('openidLoggedIn.entra');
  const place = { path: '/x.ts', file: 'x.ts', line: 1, column: 1, source: [] };
  const titlesOf = async (reason: string) => {
    const failure = { reason, failed: reason, response: null, thrown: { text: 'Error: no', place } };
    const answered = { ...right.answered, ...failure };
    const { card } = await detailOf({ ...right, answered, verdict: { kind: 'failed' } }, await studio.state);
    return card.map(({ title }) => title);
  };
  expect(await titlesOf('internal_error')).toContain('Change');
  expect(await titlesOf('handler_threw')).not.toContain('Change');
});

describe('the editor', () => {
  const folder = temporaryFolder();

  // launch-editor prints there what is told in the studio too.
  beforeEach(() => {
    jest.spyOn(console, 'log').mockImplementation(() => {});
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  async function open(what: string, command: string) {
    const file = join(folder, command);
    await rm(join(folder, 'opened'), { force: true });
    if (command !== 'absent')
      await writeFile(file, `#!/bin/sh\necho "$1" > "${folder}/opened"\n`, { mode: 0o755 });
    process.env.LAUNCH_EDITOR = file;
    return shown.send(`logins/openidLoggedIn.entra-groups/editor/${what}`);
  }
  const opened = async () => (await readFile(join(folder, 'opened'), 'utf8').catch(() => '')).trim();

  test.each([
    ['handler', 'handlers/entra-group-table.ts'],
    ['event', 'events/openidLoggedIn/entra-groups.json'],
  ])('opens the %s, and the page is told', async (what, file) => {
    const message = `Opened ${file} in own-editor`;
    expect(await open(what, 'own-editor')).toEqual({ status: 200, message });
    expect(await opened()).toBe(join(PROJECT, file));
  });

  test.each([
    ['line', 'own-editor', 409, 'there is no file to open'],
    ['constructor', 'own-editor', 409, 'there is no file to open'],
    ['handler', 'vi', 422, 'vi works in a terminal only, so handlers/entra-group-table.ts was not opened.'],
    ['handler', 'absent', 422, 'absent did not open handlers/entra-group-table.ts: spawn'],
  ])('does not open the %s in %s', async (what, command, status, message) => {
    expect(await open(what, command)).toMatchObject({ status, message: expect.stringContaining(message) });
    expect(await opened()).toBe('');
  });
});

describe('a paste', () => {
  test('of one login leads to it, with its findings', async () => {
    const { go = '' } = await shown.send('paste', { text: JSON.stringify(openIdEvent()) });
    expect(await main(go)).toMatch(/^Authorized/);
    const orcid = JSON.stringify(await sampleEvent('openidLoggedIn', 'orcid'));
    const refused = await main((await shown.send('paste', { text: orcid })).go ?? '');
    expect(refused).toMatch(/^Error: no source has email.*Change/);
    // A sample that expects it has nothing to change.
    expect(await main('#/logins/openidLoggedIn.orcid')).not.toMatch(/What decided.*Change/);
  });

  test.each([
    ['rubbish', { text: 'rubbish' }],
    ['nothing', {}],
    ['nesting of 100,000', { text: '['.repeat(100_000) + ']'.repeat(100_000) }],
  ])('of %s is refused in words', async (_, fields) => {
    expect(await shown.send('paste', fields)).toEqual({ status: 422, message: expect.any(String) });
  });

  test('that is no form is refused', async () => {
    const headers = { ...WITH_TOKEN, 'content-type': 'multipart/form-data' };
    expect((await send('/api/paste', headers, 'POST', '{"text": "{}"}')).status).toBe(422);
  });

  test('is answered in the form that the settings name, a sample in that of its expected response', async () => {
    const settings = join(stage.folder, '.env.dev');
    await writeFile(settings, 'OPENID_EXTERNAL_ID=sub');
    try {
      stage.refresh();
      const { logins } = await studio.state;
      const event = openIdEvent();
      const pasted = await logins.pasted('openidLoggedIn', event, 'with an identifier', []);
      expect(pasted.answered.response).toMatchObject({ external_id: event.idToken.sub });
      await studio.changed(UNCHANGED);
      expect(await loginOf('openidLoggedIn.entra')).toMatchObject({ verdict: { kind: 'expected' } });
    } finally {
      await rm(settings);
      stage.refresh();
    }
  });
});

describe('keeping a login', () => {
  const plan = (name: string) => shown.send('logins/openidLoggedIn.entra/keep', { name });

  test('shows what stays, and writes nothing before it is confirmed', async () => {
    const { html = '' } = await plan('of-a-plan');
    expect(inkOf(html)).toContain('the issuer');
    expect(html).toContain('data-action="keeps/');
    expect(existsSync(join(PROJECT, 'events/openidLoggedIn/of-a-plan.json'))).toBe(false);
  });

  test.each(['../escape', 'a\\b', 'x\u0000', '.hidden', 'entra', 'Grace', ''])(
    'refuses the name %j',
    async (name) => {
      const { html = '' } = await plan(name);
      expect(html).toMatch(/^(?!.*keeps\/).*This login cannot be kept/s);
    },
  );

  test('proposes a name', async () => {
    const { main: form } = await shown.page('#/keep/openidLoggedIn.entra-no-such-group');
    expect(form).toContain('value="entra-rule-refused"');
  });
});

test('a sign-in that cannot begin says why, and its form has what was sent last, without the secret', async () => {
  const fields = { issuer: 'sso.example.org', clientId: 'c1', clientSecret: 'typed' };
  const told = await shown.send('sign-in/openid', fields);
  expect(told).toEqual({ status: 200, html: expect.stringContaining('Why it was refused') });
  const { main: form } = await shown.page('#/sign-in?protocol=openid');
  expect(form).toContain('value="sso.example.org"');
  expect(form).not.toContain('typed');
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
    expect(await main(`#/sign-in/none-${protocol}`)).toContain('No sign-in is waiting for this callback');
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

test('another handler is compared over all events of a kind: who gets in is first', async () => {
  const before = await shown.logins();
  const { main: html } = await shown.page('#/compare/openidLoggedIn?with=default');
  expect(await shown.logins()).toEqual(before);
  const counts = /[1-9]\d* newly gets? in, \d+ newly refused, \d+ with other fields, \d+ with other words/;
  expect(inkOf(html)).toMatch(counts);
  expect(html.indexOf('newly get in"')).toBeLessThan(html.indexOf('newly refused"'));
  expect(html.indexOf('newly get in"')).toBeGreaterThan(0);
  // An empty list is no list.
  expect(html.includes('id="words"')).toBe(!html.includes(', 0 with other words'));
});

test('what a person of Keycloak has to know is told to nobody else', async () => {
  const noteOf = async (provider: string) =>
    (await main(`#/sign-in?protocol=saml&provider=${provider}`)).includes('Keycloak asks the person');
  expect([await noteOf('Keycloak'), await noteOf('Okta'), await noteOf('')]).toEqual([true, false, true]);
});

test('the coverage names each mapping that answered', async () => {
  const text = await main('#/compare/samlLoggedIn');
  expect(text).toMatch(/handlers\/edugain-federation \d+ loginsNot hit.*rules\[0\]\.scopesit refuses nobody/);
});

test.each(['GET', 'HEAD'])('after a stream asked by %s is left, nobody listens any more', async (method) => {
  const { logins } = await studio.state;
  const listen = logins.listen.bind(logins);
  const ended: Promise<void>[] = [];
  logins.listen = (onChange) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = listen(onChange);
    ended.push(promise);
    return () => {
      resolve();
      end();
    };
  };
  const asking = request(`http://127.0.0.1:${port}${PAGE}`, { method, headers: WITH_TOKEN });
  const answered = new Promise((resolve) => asking.on('response', resolve));
  asking.on('error', () => {}).end();
  await answered;
  asking.destroy();
  logins.listen = listen;
  await Promise.all(ended);
  expect(ended).toHaveLength(method === 'GET' ? 1 : 0);
});

test('the stream has all of the page at first, and then only what is another', async () => {
  const response = await shown.api(PAGE);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  const next = async (): Promise<Partial<Page>> => {
    while (!text.includes('\n')) text += decoder.decode((await reader.read()).value, { stream: true });
    const end = text.indexOf('\n');
    const line = text.slice(0, end);
    text = text.slice(end + 1);
    return JSON.parse(line);
  };
  expect(Object.keys(await next())).toEqual(['key', 'top', 'list', 'main']);
  await studio.saving();
  const saving = await next();
  expect(saving.top).toContain('saving …');
  expect(saving.list).toBeUndefined();
  expect(saving.main).toContain('This answer is older than your files');
  const problem = 'X [ERROR] Expected something\n\n    handlers/own.ts:1:2:\n';
  await studio.changed({ ...UNCHANGED, problem });
  expect((await next()).top).toContain('title="handlers/own.ts:1:2"');
  await reader.cancel();
  await studio.changed(UNCHANGED);
});
