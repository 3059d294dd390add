/** Logins that the built functions answer are kept: every sample, and what a handler of each kind looks at. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeKept } from '../../tools/keep/writeKept.ts';
import { customHandler } from '../support/customHandler.ts';
import { projectSamples } from '../support/projectSamples.ts';
import { runTool } from '../support/tools.ts';
import { attribute, openIdEvent, samlEvent } from '../support/wire.ts';
import { claimsOf, Engine, engine, openId, plan, writtenText } from './keeping.ts';

afterAll(() => engine.close());

const SAMPLES = (await projectSamples()).map((sample) => ({
  ...sample,
  title: `${sample.functionName}/${sample.name}`,
}));
const UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';

const MAPPINGS = {
  named: `mapOpenIdLogin({
    rules: [{ email_domains: ['*.example.org'] }, { any_group: ['staff'] }],
    groups: { from: ['teams'], table: [{ group: { prefix: '/lab/' }, uuid: '${UUID}' }] },
  })`,
  joined: `mapSamlLogin({ groups: { from: ['memberOf'], absent: ['memberOf'] }, rules: [{ no_group: ['staff'] }] })`,
  below: `mapSamlLogin({ rules: [{ any_group: [{ dn_suffix: 'OU=Staff,DC=example,DC=org' }] }] })`,
};
let mapped: typeof engine;
const handlers: Record<string, string> = {};

beforeAll(async () => {
  for (const [name, mapping] of Object.entries(MAPPINGS)) {
    const source = `import { mapOpenIdLogin, mapSamlLogin } from '#sdk'; export default ${mapping};`;
    handlers[name] = await customHandler(source, '.ts');
  }
  mapped = await Engine.open({ handlers: Object.values(handlers), isAlone: true });
});
afterAll(() => mapped.close());

function planMapped(name: keyof typeof MAPPINGS, functionName: string, event: unknown) {
  return plan(functionName, event, { engine: mapped, handlerModule: mapped.moduleOf(handlers[name] ?? '') });
}

describe('every sample event', () => {
  test.each(SAMPLES)('$title is kept with the default handler', async ({ functionName, event, expected }) => {
    const kept = await plan(functionName, event);
    expect(kept.blockers).toEqual([]);
    if (expected?.handler === undefined) expect(kept.expected?.answer.type).toBe(expected?.answer.type);
  });

  const OWN = SAMPLES.filter(({ expected }) => expected?.handler !== undefined);

  test.each(OWN)('$title is kept with its own handler, or says what stands in the way', async (sample) => {
    const { functionName, event, expected, name } = sample;
    const kept = await plan(functionName, event, { handlerModule: expected?.handler });
    // Its code compares a text of its own: no mapping says so.
    const isCode = name === 'keycloak-staff';
    const sentence = 'because the handler looks at assertion.assertionAttributeStatement[5].attributeValue';
    expect(kept.blockers).toEqual(isCode ? [expect.stringContaining(sentence)] : []);
    expect(kept.expected?.handler).toBe(expected?.handler);
    if (isCode) return;
    const { type, user_group_uuids } = expected?.answer ?? {};
    expect(kept.expected?.answer).toMatchObject({
      type,
      ...(user_group_uuids !== undefined && { user_group_uuids }),
    });
  });
});

test('two plans of one event have other stand-ins', async () => {
  const [one, other] = [
    await plan('openidLoggedIn', openIdEvent()),
    await plan('openidLoggedIn', openIdEvent()),
  ];
  expect(one?.expected?.answer.email).not.toBe(other?.expected?.answer.email);
});

describe('what stays', () => {
  test('is told, each text with its reason', async () => {
    const { stays } = await plan('samlLoggedIn', samlEvent());
    expect(stays).toContainEqual({ text: 'https://idp.example.org/saml', why: 'the issuer' });
    expect(stays).toContainEqual({ text: 'urn:oid:2.5.4.42', why: expect.stringContaining('attribute') });
    expect(stays.every(({ text, why }) => text.trim() !== '' && why !== '')).toBe(true);
  });

  test('are groups and domains that the mapping names, and no others', async () => {
    const event = openId({
      email: 'ada@maths.example.org',
      given_name: 'Ada',
      family_name: 'Staff',
      teams: ['staff', '/lab/ada', 'other'],
      picture: 'https://elsewhere.example.net/ada',
    });
    const kept = await planMapped('named', 'openidLoggedIn', event);
    expect(kept.blockers).toEqual([]);
    expect(kept.expected?.answer).toMatchObject({
      email: expect.stringMatching(/^\w+@\w+\.example\.org$/),
      user_group_uuids: [UUID],
    });
    const { teams, family_name } = claimsOf(kept.event);
    expect(teams).toEqual([
      'staff',
      expect.stringMatching(/^\/lab\/(?!ada)\w+$/),
      expect.not.stringMatching('other'),
    ]);
    expect(String(family_name).toLowerCase()).not.toBe('staff');
    const texts = kept.stays.map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(['staff', '/lab/', 'example.org', 'teams']));
    expect(writtenText(kept).readable).not.toMatch(/maths|other"|elsewhere/);
  });

  test.each([
    ['joined to others', 'joined', 'onestafftwo'],
    ['in a distinguished name', 'below', 'CN=Ada,OU=Staff,DC=example,DC=org'],
  ] as const)('is a group %s', async (_, mapping, value) => {
    const { assertion } = samlEvent();
    assertion.assertionAttributeStatement.push(attribute('memberOf', value));
    const kept = await planMapped(mapping, 'samlLoggedIn', { assertion });
    expect(kept.blockers).toEqual([]);
    expect(writtenText(kept).readable).not.toMatch(/onestaff|stafftwo|CN=Ada/);
  });
});

describe('something stands in the way where', () => {
  const ANSWER = `{ type: 'AuthorizedUserResponse', first_name: 'A', last_name: 'B', email: 'a@b.example' }`;
  const blockersOf = async (source: string, event: unknown = openIdEvent()) => {
    const handlerModule = await customHandler(source);
    const { blockers } = await plan('openidLoggedIn', event, { handlerModule });
    return blockers;
  };

  test('a handler of plain code answers by a text that is replaced', async () => {
    const blockers =
      await blockersOf(`export default ({ id_token }) => id_token.other_claims.family_name === 'Lovelace'
      ? ${ANSWER} : { type: 'ForbiddenResponse' }`);
    expect(blockers).toContainEqual(
      expect.stringMatching(/another type, because .* idToken\.otherClaims\.family_name/),
    );
    expect(blockers.join()).not.toMatch(/lovelace/i);
  });

  test('it answers by a text that it makes of others', async () => {
    const blockers = await blockersOf(`export default ({ id_token }) => (
      { ...${ANSWER}, first_name: id_token.other_claims.family_name.slice(2, 5) })`);
    expect(blockers).toEqual([expect.stringContaining('another first_name, because')]);
  });

  test('it compares two claims under names that nobody knows', async () => {
    const event = openId({ 'ada lovelace': 'x', email: 'ada@example.org' });
    const blockers = await blockersOf(
      `export default ({ id_token }) => 'ada lovelace' in id_token.other_claims ? ${ANSWER} : { type: 'ErrorResponse' }`,
      event,
    );
    expect(blockers[0]).toContain('another type, because');
    expect(blockers.join()).not.toMatch(/ada/i);
  });

  test('the handler fails', async () => {
    expect(await blockersOf(`export default () => { throw new Error('ada') }`)).toEqual([
      expect.stringContaining('The function fails (handler_threw)'),
    ]);
  });
});

test('npm run check passes with what is kept, whichever handler answers it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'login-hooks-'));
  const kept = SAMPLES.filter(({ name }) =>
    /^(?:entra-groups|keycloak-suspended|edugain-joined.*|keycloak|orcid-other.*)$/.test(name),
  );
  for (const [index, { functionName, event, expected }] of kept.entries()) {
    const handlerModule = expected?.handler;
    await writeKept(await plan(functionName, event, { name: `zz-${index}`, folder, handlerModule }));
  }
  const { status, stdout } = runTool('check', [folder]);
  expect([status, stdout]).toEqual([0, expect.stringContaining(`${kept.length}`)]);
  await rm(folder, { recursive: true });
});
