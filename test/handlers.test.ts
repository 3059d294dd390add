/** The worked handlers; those that ask other systems, against servers of their protocols. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { OpenIdUserLoggedInEvent } from '../lib/openid/model.ts';
import { SamlUserLoggedInEvent } from '../lib/saml/model.ts';
import { startFunction } from '../tools/local/process/functionProcess.ts';
import { PROJECT } from '../tools/shared/project.ts';
import {
  answerOf,
  type FunctionName,
  type RunningFunction,
  running,
  withFunction,
} from './support/bundle.ts';
import { customHandler } from './support/customHandler.ts';
import { projectSamples, sampleEvent } from './support/projectSamples.ts';
import { httpsServer, type LocalServer, sendJson } from './support/servers.ts';
import { type openIdEvent, samlEvent } from './support/wire.ts';

const SAMPLES = await projectSamples();
const HANDLERS = new Set(SAMPLES.flatMap(({ expected }) => expected?.handler ?? []));
const SCHEMAS = { openidLoggedIn: OpenIdUserLoggedInEvent, samlLoggedIn: SamlUserLoggedInEvent };
const FOREIGN_ISSUER = 'https://idp.elsewhere.example';

test('there are worked handlers', () => expect(HANDLERS.size).toBeGreaterThan(10));

describe.each([...HANDLERS])('%s', (handler) => {
  const own = SAMPLES.filter(({ expected }) => expected?.handler === handler);

  test('has a sample event that attacks it, and refuses it', () => {
    const types = own.map(({ expected }) => expected?.answer.type);
    expect(types.some((type) => type !== 'AuthorizedUserResponse')).toBe(true);
  });

  test('lets nobody in from an issuer that it does not list', async () => {
    const kind = own[0]?.functionName as FunctionName;
    const events = SAMPLES.filter(({ functionName }) => functionName === kind)
      .map(({ event }) => fromElsewhere(event))
      .filter((event) => event !== null);
    expect(events.length).toBeGreaterThan(20);
    const { default: decide } = await import(join(PROJECT, `${handler}.ts`));
    for (const event of events)
      expect(await decide(v.parse(SCHEMAS[kind], event))).toMatchObject({ type: 'ForbiddenResponse' });
  });
});

/** The same login by another issuer; null for one in an HTTP envelope. */
function fromElsewhere(event: unknown): unknown {
  const { idToken, assertion } = event as { idToken?: object; assertion?: object };
  if (idToken) return { ...(event as object), idToken: { ...idToken, iss: FOREIGN_ISSUER } };
  return assertion ? { assertion: { ...assertion, assertionIssuer: FOREIGN_ISSUER } } : null;
}

describe('orcid-email asks ORCID', () => {
  const ORCID_ID = '0000-0001-5109-3700';
  const ADA = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' };
  const entry = (email: string, verified = true, primary = false) => ({ email, verified, primary });
  const PRIVATE = { type: 'ErrorResponse', message: expect.stringMatching(/At orcid\.org.*visibility/) };
  const UNEXPECTED = { type: 'ErrorResponse', message: expect.stringContaining('another system did not') };

  /** What ORCID has of the person. */
  let record: object;
  let orcid: LocalServer & { ca: string };
  let fn: RunningFunction;
  beforeAll(async () => {
    orcid = await httpsServer((_, response) => sendJson(response, { ...record, path: `/${ORCID_ID}/email` }));
    const env = {
      NODE_EXTRA_CA_CERTS: await customHandler(orcid.ca, '.pem'),
      OPENID_HANDLER_MODULE: 'handlers/orcid-email',
      ORCID_API_URL: `${orcid.url}/v3.0`,
    };
    fn = running(startFunction({ name: 'openidLoggedIn', env, timeoutMs: 10_000 }));
  });
  afterAll(() => Promise.all([fn.stop(), orcid.close()]));
  beforeEach(() => {
    orcid.requests.length = 0;
  });

  async function answerTo(iss: string, sub: string) {
    const event = (await sampleEvent('openidLoggedIn', 'orcid')) as ReturnType<typeof openIdEvent>;
    Object.assign(event.idToken, { iss, sub });
    return (await answerOf(fn, event)).answer;
  }

  test.each<[string, object, object]>([
    ['the primary address', { email: [entry('a@a.example'), entry(ADA.email, true, true)] }, ADA],
    ['the first verified one', { email: [entry('p@a.example', false, true), entry(ADA.email)] }, ADA],
    ['none that is not verified', { email: [entry('p@a.example', false, true)] }, PRIVATE],
    ['none where none is public', { email: [] }, PRIVATE],
    ['none out of another answer', { emails: [] }, UNEXPECTED],
  ])('for %s', async (_, known, expected) => {
    record = known;
    expect(await answerTo('https://orcid.org', ORCID_ID)).toMatchObject(expected);
    const headers = { accept: 'application/json' };
    expect(orcid.requests).toMatchObject([{ path: `/v3.0/${ORCID_ID}/email`, headers }]);
  });

  test.each([
    ['https://orcid.org', `${ORCID_ID}/../x`],
    ['https://orcid.org', 'subject-1'],
    ['https://orcid.org', ''],
    [FOREIGN_ISSUER, ORCID_ID],
  ])('never of %s about %j', async (iss, sub) => {
    expect((await answerTo(iss, sub)).type).toBe('ForbiddenResponse');
    expect(orcid.requests).toEqual([]);
  });
});

/** A request of which a recording knows the response. */
function recorded(url: string, body: string, json: object) {
  const body_sha256 = createHash('sha256').update(body).digest('base64');
  const headers = { 'content-type': 'application/json' };
  return { request: `POST ${url}`, body_sha256, status: 200, headers, json };
}

test('entra-groups asks Graph where there are too many', async () => {
  const CLIENT = { client_id: 'app', client_secret: 'SECRET' };
  const SECRETS_FILE = await customHandler(JSON.stringify({ 'login-hooks/entra-graph': CLIENT }), '.json');
  const env = { OPENID_HANDLER_MODULE: 'handlers/entra-groups', SECRETS_FILE };
  const event = await sampleEvent('openidLoggedIn', 'entra-group-overage');
  const { tid, oid } = (event as ReturnType<typeof openIdEvent>).idToken.otherClaims;
  const token = { access_token: 'graph-token', expires_in: 3600, token_type: 'Bearer' };
  const value = ['2f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30', '0c1d2e3f-4a5b-4c6d-9e8f-a0b1c2d3e4f5'];
  const scope = encodeURIComponent('https://graph.microsoft.com/.default');
  const requests = [
    recorded(
      `https://login.microsoftonline.com/${tid}/oauth2/v2.0/token`,
      `grant_type=client_credentials&scope=${scope}&client_id=masked&client_secret=masked`,
      token,
    ),
    recorded(
      `https://graph.microsoft.com/v1.0/users/${oid}/getMemberGroups`,
      '{"securityEnabledOnly":true}',
      { value },
    ),
  ];
  const fn = startFunction({ name: 'openidLoggedIn', env, isLocal: true });
  const { result, requests: asked } = await fn.run({ event, requestId: 'r', frozenTime: null, requests });
  await fn.stop();
  expect(fn.take()).not.toMatch(/SECRET|graph-token/);
  expect(result).toMatchObject({ user_group_uuids: ['8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11'] });
  expect(asked).toMatchObject({ used: [0, 1], missing: [], secrets: ['login-hooks/entra-graph'] });
});

test('directory-lookup takes the profile from the directory, keeps it, and asks for a refused token again, not too often', async () => {
  const person = { givenName: 'Ada', sn: 'Lovelace', mail: 'ada@example.org', department: 'Analysis' };
  const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org', affiliation: 'Analysis' };
  let token = 'old';
  const server = await httpsServer((request, response) => {
    if (request.headers.authorization !== `Bearer ${token}`) sendJson(response, {}, 401);
    else if (request.url === '/api/people/_name-id-1') sendJson(response, person);
    else sendJson(response, {}, 404);
  });
  const env = {
    NODE_EXTRA_CA_CERTS: await customHandler(server.ca, '.pem'),
    SAML_HANDLER_MODULE: 'handlers/directory-lookup',
    DIRECTORY_URL: `${server.url}/api`,
    DIRECTORY_ISSUER: 'https://idp.example.org/saml',
    SECRETS_FILE: await customHandler('{"login-hooks/directory-token":"old"}', '.json'),
  };
  await withFunction('samlLoggedIn', { env }, async (fn) => {
    expect(await fn.invoke(samlEvent())).toMatchObject(ada);
    expect(await fn.invoke(samlEvent())).toMatchObject(ada);
    expect(server.requests).toHaveLength(1);
    expect(await fn.invoke(fromElsewhere(samlEvent()))).toMatchObject({ type: 'ForbiddenResponse' });
    const stranger = samlEvent();
    stranger.assertion.assertionSubject.subjectNameID.nameIDValue = 'somebody else';
    expect(await fn.invoke(stranger)).toMatchObject({ type: 'ForbiddenResponse' });
    token = 'new';
    stranger.assertion.assertionSubject.subjectNameID.nameIDValue = 'a third';
    expect(await fn.invoke(stranger)).toMatchObject({ type: 'ErrorResponse' });
    const sent = server.requests.slice(2).map(({ headers }) => headers.authorization);
    expect(sent).toEqual(['Bearer old', 'Bearer old']);
  }).finally(server.close);
});
