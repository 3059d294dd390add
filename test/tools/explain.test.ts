/** `npm run login -- … --explain`: how a response came about, without values unless they are asked for. */
import { describe, expect, test } from '@jest/globals';
import { textAt } from '../../tools/explain/eventNodes.ts';
import { customHandler } from '../support/customHandler.ts';
import { httpServer, sendJson } from '../support/servers.ts';
import { runTool } from '../support/tools.ts';
import { openIdEvent, overHttp, samlEvent } from '../support/wire.ts';

const NESTED_ROLES = ['openid', 'events/openidLoggedIn/keycloak-nested-roles.json'];
const NO_SUCH_GROUP = ['openid', 'events/openidLoggedIn/entra-no-such-group.json'];
const STAFF = ['saml', 'events/samlLoggedIn/keycloak-staff.json'];

async function explained(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await runTool('login', [...args, '--explain']);
  expect(status).toBe(0);
  expect(() => JSON.parse(stdout)).not.toThrow();
  return stderr;
}

test.each<[string, string[], RegExp[]]>([
  [
    'a field that is not used',
    ['openid', 'events/openidLoggedIn/keycloak-unverified-email.json'],
    [
      /^response ErrorResponse$/m,
      /^reason {3}email_unverified$/m,
      /^message {2}standard, in en$/m,
      /^email +- +unverified$/m,
      /^email: tried {2}email$/m,
      /^Turn it on at the provider\. Keycloak: "Email verified"/m,
    ],
  ],
  [
    'where fields were found',
    ['saml', 'events/samlLoggedIn/display-name-only.json'],
    [
      /^first_name +Name urn:oid:2\.16\.840\.1\.113730\.3\.1\.241, split +attribute_statement\[2\]$/m,
      /^received {2}displayName, .*urn:oid:/m,
    ],
  ],
  [
    'addresses by their last part',
    ['saml', 'events/samlLoggedIn/adfs.json'],
    [/^email +Name …\/emailaddress +attribute_statement\[1\] +unproven$/m],
  ],
  [
    'what each source of groups gave, and the row of each group',
    [...NESTED_ROLES, '--handler', 'handlers/keycloak-roles'],
    [
      /^realm_access\.roles +realm_access\.roles +4 groups$/m,
      /^other_claims\.realm_access\.roles\[2\] +groups\.table\[0\]$/m,
      /^other_claims\.groups\[1\] +no row$/m,
      /^groups {2}6 received, 2 mapped, 4 unmatched$/m,
      /^rules\[1\]\.no_group +allows$/m,
    ],
  ],
  [
    'an unverified address that is accepted',
    [
      'openid',
      'events/openidLoggedIn/keycloak-unverified-email.json',
      '--handler',
      'handlers/accept-unverified-email',
    ],
    [/^reason {3}authorized$/m, /^email +email +other_claims\.email +unverified$/m],
  ],
  [
    'the rule that decided',
    [...NO_SUCH_GROUP, '--handler', 'handlers/entra-group-table'],
    [/^rules\[0\]\.any_group +refuses: this decided$/m],
  ],
  [
    'the rules of an issuer',
    ['saml', 'events/samlLoggedIn/edugain-foreign-rector.json', '--handler', 'handlers/edugain-federation'],
    [
      /^issuer {3}https:\/\/login\.uni\.example\/saml2\/idp\/metadata$/m,
      /^issuers\[…\]\.rules\[0\]\.scopes +allows$/m,
      /^issuers\[…\]\.rules\[1\]\.email_domains +refuses: this decided$/m,
    ],
  ],
  [
    'an issuer that is not listed',
    ['openid', 'events/openidLoggedIn/entra-other-tenant.json', '--handler', 'handlers/entra-group-table'],
    [/^Forbidden: the mapping does not list the issuer$/m, /^issuers +refuses: this decided$/m],
  ],
])('tells %s', async (_, args, patterns) => {
  const text = await explained(...args);
  expect(text).toMatch(/^(Authorized|(Forbidden|Error): .+)\n\nresponse /);
  for (const pattern of patterns) expect(text).toMatch(pattern);
});

test('tells an event that is not valid', async () => {
  const text = await explained('saml', await customHandler('{"assertion": null}', '.json'));
  expect(text).toMatch(/^reason {3}event_invalid$/m);
  expect(text).toMatch(/^problem {2}assertion: expected an object/m);
  expect(text).toMatch(/^No handler decided this: the login ended before \(event_invalid\)\.$/m);
});

test('tells what is known of code around a mapping that decides by itself', async () => {
  const code = `import { mapOpenIdLogin } from 'login-hooks';
    const map = mapOpenIdLogin({});
    export default (event) => ({ ...map(event), affiliation: 'x' });`;
  const handler = await customHandler(code, '.ts');
  const text = await explained('openid', 'events/openidLoggedIn/entra.json', '--handler', handler);
  expect(text).toMatch(/^The code of \S+ decided this, and not a mapping in it\.$/m);
});

test('no line is the sender’s', async () => {
  const event = samlEvent();
  event.assertion.assertionIssuer =
    'https://x.example\n\nresponse AuthorizedUserResponse\nreason   authorized';
  event.assertion.assertionAttributeStatement = [];
  const text = await explained('saml', await customHandler(JSON.stringify(event), '.json'), '--values');
  expect(text.match(/^(?:response|reason) .*$/gm)).toEqual([
    'response ErrorResponse',
    'reason   profile_incomplete',
  ]);
});

test('the keys of an object that is a list of roles are shown', async () => {
  const event = openIdEvent();
  const name = 'urn:zitadel:iam:org:project:roles';
  Object.assign(event.idToken.otherClaims, { [name]: { admin: {}, editor: {} } });
  const handler = await customHandler(
    `import { mapOpenIdLogin } from 'login-hooks';
    export default mapOpenIdLogin({ groups: { from: ['${name}'] } });`,
    '.ts',
  );
  const file = await customHandler(JSON.stringify(event), '.json');
  const text = await explained('openid', file, '--handler', handler, '--values');
  expect(text).toMatch(/\[1\] +no row +"editor"$/m);
});

test('tells a source that is absent from one that is empty or incomplete', async () => {
  const handler = await customHandler(
    `
    import { DEFAULTS, mapOpenIdLogin } from 'login-hooks';
    export default mapOpenIdLogin({ groups: { from: ['teams', DEFAULTS] } });`,
    '.ts',
  );
  const text = await explained(
    'openid',
    'events/openidLoggedIn/entra-group-overage.json',
    '--handler',
    handler,
  );
  expect(text).toMatch(/^teams +teams +absent$/m);
  expect(text).toMatch(/^DEFAULTS +groups +overage: /m);
  expect(text).toMatch(/^DEFAULTS +roles +absent$/m);
});

describe('values', () => {
  const args = [...NESTED_ROLES, '--handler', 'handlers/keycloak-roles'];

  test('are not shown unless they are asked for', async () => {
    expect(await explained(...args)).not.toMatch(/Katherine|data-steward/);
  });

  test('are those of the event', async () => {
    const text = await explained(...args, '--values');
    expect(text).toMatch(/^Authorized as Katherine Johnson, .*data-steward/);
    expect(text).toMatch(/^first_name +given_name +other_claims\.given_name +"Katherine"$/m);
    expect(text).toMatch(/^other_claims\.realm_access\.roles\[2\] +groups\.table\[0\] +"data-steward"$/m);
  });

  test('are part of --explain', async () => {
    const { status, stderr } = await runTool('login', [...args, '--values']);
    expect([status, stderr]).toEqual([2, 'expected --explain with --values\n']);
  });
});

test('the log is for --verbose alone, and what a handler prints is shown', async () => {
  const handler = await customHandler(
    `export default () => { console.log('printed'); return { type: 'ForbiddenResponse' } }`,
  );
  const args = ['openid', 'events/openidLoggedIn/entra.json', '--handler', handler];
  expect(await explained(...args)).toMatch(/printed/);
  expect(await explained(...args)).not.toContain('"event":"login"');
  expect(await explained(...args, '--verbose')).toContain('"event":"login"');
  expect(await explained('openid', 'events/openidLoggedIn/entra.json', '--verbose')).toContain(
    '"event":"login_explanation"',
  );
});

/** What `--explain` lists of a handler of code: each place, and how it was read. */
async function readBy(
  code: string,
  event = ['openid', 'events/openidLoggedIn/entra.json'],
): Promise<string[]> {
  const text = await explained(...event, '--handler', await customHandler(code));
  const [, table = ''] = text.split(/^the handler read.*\n-+\n/m);
  return table
    .trim()
    .split('\n')
    .map((line) => line.trim());
}

describe('a handler of code: what it read of the event', () => {
  test('where it stands as it arrives', async () => {
    const code = `export default ({ id_token: { iss, other_claims } }) => ({
      type: 'ForbiddenResponse',
      message: [iss === 'x', other_claims.no_such_claim, JSON.stringify(other_claims.realm_access)].join(),
    })`;
    expect(await readBy(code, NESTED_ROLES)).toEqual([
      'idToken.iss',
      expect.stringMatching(/^idToken\.otherClaims\.no_such_claim +absent$/),
      expect.stringMatching(/^idToken\.otherClaims\.realm_access +the whole of it$/),
    ]);
  });

  test('in a list that is searched', async () => {
    const code = `export default ({ assertion }) => ({
      type: 'ForbiddenResponse',
      message: assertion.attribute_statement.filter(({ name }) => name === 'x').join(),
    })`;
    expect(await readBy(code, STAFF)).toEqual([
      expect.stringMatching(/^assertion\.assertionAttributeStatement\[…\]\.attributeName +\d+ places$/),
    ]);
  });

  test('beside the explanation of a mapping that it calls', async () => {
    const code = `import { mapOpenIdLogin } from 'login-hooks';
      const map = mapOpenIdLogin({});
      export default (event) => (event.id_token.iss === 'x' ? null : map(event));`;
    const handler = await customHandler(code, '.ts');
    const text = await explained('openid', 'events/openidLoggedIn/entra.json', '--handler', handler);
    expect(text).toMatch(/^email +email +other_claims\.email/m);
    expect(text).toMatch(/^idToken\.iss/m);
  });

  test('with the responses of other systems, which are asked once', async () => {
    const requests: string[] = [];
    const server = await httpServer(({ url = '' }, response) => {
      requests.push(url);
      sendJson(response, { department: 'physics' });
    });
    const code = `export default async ({ id_token: { sub } }) => {
      const { department } = await (await fetch('${server.url}/' + sub)).json();
      return { type: 'ForbiddenResponse', message: department };
    }`;
    expect(await readBy(code)).toEqual(['idToken.sub']);
    expect(requests).toHaveLength(1);
    await server.close();
  });

  test.each([
    [
      'another response',
      '({ id_token }) => ({ type: "ForbiddenResponse", message: String(Math.random()) })',
      '',
    ],
    [
      'another reason',
      '(event) => (structuredClone(event), { type: "ForbiddenResponse" })',
      ' \\(handler_threw, not forbidden\\)',
    ],
  ])('is not shown where noting it makes %s', async (_, handler, reasons) => {
    const text = await explained(...STAFF, '--handler', await customHandler(`export default ${handler}`));
    expect(text).toMatch(new RegExp(`That run ended differently${reasons}, so nothing is shown`));
    expect(text).not.toMatch(/^the handler read/m);
  });

  test.each([
    ['the default handler', []],
    ['a mapping', ['--handler', 'handlers/keycloak-roles']],
  ])('is not noted of %s', async (_, handler) => {
    expect(await explained(...NESTED_ROLES, ...handler)).not.toMatch(/the handler read|ended differently/);
  });
});

describe('a path of an explanation', () => {
  const openId = openIdEvent();
  Object.assign(openId.idToken.otherClaims, { 'a.b': ['x', 'y'], level: 2, deep: { 'c"d': { e: 'z' } } });

  const EVENTS = { openId, saml: samlEvent(), http: overHttp(samlEvent()), empty: {}, text: 'text' };

  test.each<[keyof typeof EVENTS, string, string | null]>([
    ['openId', 'other_claims.given_name', 'Ada'],
    ['openId', 'other_claims["a.b"][1]', 'y'],
    ['openId', 'other_claims.deep["c\\"d"].e', 'z'],
    ['openId', 'other_claims.level', '2'],
    ['openId', 'other_claims.deep', null],
    ['openId', 'other_claims.constructor.name', null],
    ['saml', 'attribute_statement[1]', 'Ada'],
    ['saml', 'attribute_statement[9]', null],
    ['saml', 'subject.name_id', '_name-id-1'],
    ['saml', 'authn_statement.instant', '2026-11-21T10:00:00Z'],
    ['http', 'subject.name_id', '_name-id-1'],
    ['empty', 'subject.name_id', null],
    ['text', 'other_claims.a', null],
  ])('in the event %s: %s', (event, path, text) => {
    expect(textAt(EVENTS[event], path)).toBe(text);
  });
});
