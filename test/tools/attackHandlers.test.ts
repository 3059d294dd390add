/** `npm run check -- --attack` on handlers of code and on the worked ones, and what it prints. */
import { cp, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { expectedFile, sampleEvent } from '../../tools/local/events.ts';
import { attack, CAMPUS, eventsOf, type Kind, openIdLogin, samlLogin } from '../support/attack.ts';
import { customHandler } from '../support/customHandler.ts';
import { projectSamples } from '../support/projectSamples.ts';
import { httpServer, sendJson } from '../support/servers.ts';
import { runTool } from '../support/tools.ts';

const AUTHORIZED = { status: 200, answer: { type: 'AuthorizedUserResponse' } };

/** A handler that authorizes all people whom these lines do not refuse. */
function guarded(guard: string): Promise<string> {
  return customHandler(`export default (event) => {
    const { iss, other_claims: claims } = event.id_token ?? {};
    const no = { type: 'ForbiddenResponse', message: 'No.' };
    let email = claims?.email;
    ${guard}
    return { type: 'AuthorizedUserResponse', first_name: 'Ada', last_name: 'Lovelace', email };
  };`);
}

const OF_CAMPUS = `if (iss !== '${CAMPUS}') return no;`;
const OF_DOMAIN = `if (!email?.endsWith('@example.edu')) return no;`;
const PROVEN = 'if (claims.email_verified !== true) return no;';

describe('code is attacked by issuer and address always', () => {
  test.each<[string, string, string[], string[]]>([
    ['that looks at both', `${OF_CAMPUS} ${OF_DOMAIN} ${PROVEN}`, [], []],
    ['that takes any issuer', `${OF_DOMAIN} ${PROVEN}`, ['another_issuer'], ['foreign', 'case']],
    [
      'that looks at how the issuer begins',
      `if (!iss.startsWith('${CAMPUS}')) return no; ${OF_DOMAIN} ${PROVEN}`,
      ['another_issuer'],
      ['trailing slash', 'longer name'],
    ],
    [
      'that waits for no promise',
      `const allowed = async () => iss === '${CAMPUS}'; if (!allowed()) return no; ${OF_DOMAIN} ${PROVEN}`,
      ['another_issuer'],
      ['another realm or tenant'],
    ],
    [
      'that looks at how the domain ends',
      `${OF_CAMPUS} if (!email?.endsWith('example.edu')) return no; ${PROVEN}`,
      ['foreign_address'],
      ['subdomain', 'prefix'],
    ],
    [
      'that judges one address and returns another',
      `${OF_CAMPUS} const all = [email].flat(); email = all[0]; if (!all.some((one) => one?.endsWith('@example.edu'))) return no; ${PROVEN}`,
      ['foreign_address'],
      ['before the own'],
    ],
    [
      'that takes any domain of an address inside other claims',
      `${OF_CAMPUS} email = claims.profile?.emails?.[0]; ${PROVEN}`,
      ['foreign_address'],
      ['another domain', 'look-alike'],
    ],
    [
      'that takes any text for a proof',
      `${OF_CAMPUS} ${OF_DOMAIN} if (!claims.email_verified) return no;`,
      ['unproven_address'],
      ['"false"', 'nested'],
    ],
  ])('%s', async (_, guard, changes, what) => {
    const folder = await eventsOf('openid', openIdLogin({ profile: { emails: ['ada@example.edu'] } }));
    const { status, findings } = await attack([folder, '--handler', await guarded(guard)]);
    const errors = findings.filter(({ level }) => level === 'error');
    expect(errors.map(({ change }) => change)).toEqual(changes);
    expect(errors.flatMap((one) => one.what)).toEqual(expect.arrayContaining(what));
    expect(status).toBe(changes.length > 0 ? 1 : 0);
  });

  test('in SAML too', async () => {
    const guard = `email = event.assertion.attribute_statement.find(({ friendly_name }) => friendly_name === 'mail')?.value;`;
    const folder = await eventsOf('saml', samlLogin());
    const { findings } = await attack([folder, '--handler', await guarded(guard)]);
    const errors = findings.filter(({ level }) => level === 'error');
    expect(errors.map(({ change }) => change)).toEqual([
      'another_issuer',
      'unproven_address',
      'foreign_address',
    ]);
  });
});

describe('what proves nothing', () => {
  test('a handler that throws is not tested', async () => {
    const guard = `if (iss !== '${CAMPUS}') throw new Error('x'); ${OF_DOMAIN} ${PROVEN}`;
    const folder = await eventsOf('openid', openIdLogin());
    const { outcomes, findings } = await attack([folder, '--handler', await guarded(guard)]);
    expect(findings).toContainEqual(
      expect.objectContaining({ level: 'not tested', change: 'another_issuer' }),
    );
    expect(outcomes['not tested']).toBeGreaterThan(0);
  });

  test('no other system is asked, where nothing is recorded', async () => {
    const system = await httpServer((_, response) => sendJson(response, {}));
    const handler = await customHandler(`export default async () => {
      await fetch('${system.url}');
      return { type: 'AuthorizedUserResponse', first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.edu' };
    };`);
    const { status, events } = await attack([await eventsOf('openid', openIdLogin()), '--handler', handler]);
    await system.close();
    expect({ status, events, requests: system.requests }).toEqual({ status: 1, events: 0, requests: [] });
  });

  test.each([
    ['no login is authorized', 'return no;'],
    [
      'the handler throws at every change',
      `if (iss + JSON.stringify(claims) !== ${JSON.stringify(CAMPUS + JSON.stringify(openIdLogin().idToken.otherClaims))}) throw new Error('x');`,
    ],
  ])('it fails where %s', async (_, guard) => {
    const folder = await eventsOf('openid', openIdLogin());
    const { status, notAttacked } = await attack([folder, '--handler', await guarded(guard)]);
    expect({ status, notAttacked }).toEqual({ status: 1, notAttacked: ['openidLoggedIn'] });
  });
});

describe('the worked handlers refuse every change', () => {
  test('of the samples', async () => {
    const folder = await eventsOf('openid', openIdLogin());
    for (const { functionName, file, expected } of await projectSamples()) {
      if (expected?.handler === undefined) continue;
      for (const one of [file, expectedFile({ file })])
        await cp(one, join(folder, functionName, basename(one)));
    }
    const result = await attack([folder]);
    expect(result.findings.filter(({ level }) => level === 'error')).toEqual([]);
    expect(result).toMatchObject({ status: 0, unused: [], attacked: ['openidLoggedIn', 'samlLoggedIn'] });
  });

  const GET = (request: string, json: object) => ({
    request: `GET ${request}`,
    status: 200,
    headers: {},
    json,
  });
  const PROVIDER = 'https://connect.surfconext.example';
  const ADA = { given_name: 'Ada', family_name: 'Lovelace', email: 'ada@example.org', email_verified: true };

  test.each<[string, Kind, string, object[]]>([
    [
      'orcid-email',
      'openid',
      'orcid',
      [
        GET('https://pub.orcid.org/v3.0/0000-0001-5109-3700/email', {
          email: [{ email: 'ada@example.org', primary: true, verified: true }],
        }),
      ],
    ],
    [
      'userinfo-profile',
      'openid',
      'surfconext-no-profile-claims',
      [
        GET(`${PROVIDER}/.well-known/openid-configuration`, {
          issuer: PROVIDER,
          userinfo_endpoint: `${PROVIDER}/oidc/userinfo`,
        }),
        GET(`${PROVIDER}/oidc/userinfo`, { sub: '3b1f0e2d4c5a69788796a5b4c3d2e1f00f1e2d3c', ...ADA }),
      ],
    ],
    [
      'directory-lookup',
      'saml',
      'directory-other-issuer',
      [
        GET('https://directory.example.org/api/people/10017', {
          givenName: 'Ada',
          sn: 'Lovelace',
          mail: 'ada@example.org',
          department: null,
        }),
      ],
    ],
  ])('of %s, by recorded responses', async (name, kind, sample, outside) => {
    const stored = JSON.stringify(await sampleEvent(`${kind}LoggedIn`, sample));
    const event = JSON.parse(
      stored.replace('https://idp.elsewhere.example/idp', 'https://sso.example.org/saml'),
    );
    const expected = { handler: `handlers/${name}`, ...AUTHORIZED };
    const secrets = { SECRETS_FILE: 'secrets.sample.json' };
    const result = await attack([await eventsOf(kind, event, { expected, outside })], secrets);
    expect(result.findings.filter(({ level }) => level === 'error')).toEqual([]);
    expect(result).toMatchObject({ status: 0, events: 1 });
    expect(result.outcomes.refused).toBeGreaterThan(5);
  });
});

describe('what is meant is in the expected file', () => {
  const MEANT = 'The realm gives its people addresses.';
  const guard = `${OF_CAMPUS} ${PROVEN}`;
  const run = async (mayBe: object) => {
    const handler = await guarded(guard);
    const folder = await eventsOf('openid', openIdLogin(), { expected: { handler, ...AUTHORIZED, mayBe } });
    return { folder, handler, ...(await attack([folder, '--handler', handler])) };
  };

  test('by the change, with a reason', async () => {
    expect((await run({})).status).toBe(1);
    const { status, findings } = await run({ foreign_address: MEANT });
    expect(findings.filter(({ level }) => level === 'error')).toEqual([]);
    expect(status).toBe(0);
  });

  test.each([
    ['another_issuer', 'another issuer cannot be excused'],
    ['denied_group', 'nothing gets in by this change'],
    ['no_such_change', 'expected one of another_issuer, '],
  ])('an entry for %s excuses nothing, and fails', async (change, problem) => {
    const { status, unused } = await run({ foreign_address: MEANT, [change]: MEANT });
    expect(unused).toEqual([expect.stringContaining(`openidLoggedIn/ada: mayBe.${change}: ${problem}`)]);
    expect(status).toBe(1);
  });

  test('another issuer gets in in spite of an entry', async () => {
    const handler = await guarded(`${OF_DOMAIN} ${PROVEN}`);
    const mayBe = { another_issuer: MEANT };
    const folder = await eventsOf('openid', openIdLogin(), { expected: { handler, ...AUTHORIZED, mayBe } });
    const { findings } = await attack([folder, '--handler', handler]);
    expect(findings).toContainEqual(expect.objectContaining({ level: 'error', change: 'another_issuer' }));
  });

  test('an entry without a reason is refused', async () => {
    await expect(run({ foreign_address: ' ' })).rejects.toThrow('mayBe.foreign_address: expected a text');
  });

  test('--update leaves it there', async () => {
    const { folder, handler } = await run({ foreign_address: MEANT });
    await runTool('check', [folder, '--handler', handler, '--update']);
    const expected = await readFile(join(folder, 'openidLoggedIn', 'ada.expected.json'), 'utf8');
    expect(JSON.parse(expected)).toMatchObject({
      answer: { first_name: 'Ada' },
      mayBe: { foreign_address: MEANT },
    });
  });
});

test('for people there is a line for each handler and change, and the cure', async () => {
  const handler = await guarded(`${OF_DOMAIN} ${PROVEN}`);
  const { status, stdout } = await runTool('check', [
    await eventsOf('openid', openIdLogin()),
    '--attack',
    '--handler',
    handler,
  ]);
  expect(stdout).toMatch(/^ERROR +openidLoggedIn +\S+ +another_issuer +foreign, look-alike host, .*ada$/m);
  expect(stdout).toMatch(/^another_issuer: List the issuers: /m);
  expect(stdout).toContain('OPENID_TOKEN_CHECK is off, so nothing looks at ');
  expect(stdout).not.toContain('SAML_ASSERTION_CHECK');
  expect(stdout).toMatch(/^1 event changed \d+ times: \d+ refused, \d+ got in, 2 not tested$/m);
  expect(status).toBe(1);
});

test('the check that is on is not called off', async () => {
  const { stdout } = await runTool('check', [await eventsOf('openid', openIdLogin()), '--attack'], {
    OPENID_TOKEN_CHECK: 'on',
    OPENID_ISSUERS: JSON.stringify({ [CAMPUS]: { audiences: ['client-1'] } }),
  });
  expect(stdout).not.toContain('is off');
});

test.each([
  [['--json'], 'expected --attack with --json'],
  [['--attack', '--update'], 'expected --attack or --update, found both'],
])('%j cannot be used', async (options, message) => {
  const { status, stderr } = await runTool('check', options);
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(message) });
});
