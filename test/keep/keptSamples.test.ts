/** Logins that the built functions answer are kept: every sample, planted canaries, worked handlers that ask other systems, and long texts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { isJsonObject } from '../../lib/schema.ts';
import { type KeepOptions, planKeep, type SamplePlan, writeKept } from '../../tools/keep/plan.ts';
import { rewriteLogin } from '../../tools/keep/texts.ts';
import { Engine } from '../../tools/local/engine.ts';
import { eventInside } from '../../tools/local/httpEvent.ts';
import { BUILT } from '../support/environment.ts';
import { projectSamples, sampleEvent } from '../support/projectSamples.ts';
import { runTool } from '../support/tools.ts';
import { attribute } from '../support/wire.ts';
import { eventOf, exchange, plan as planned, writtenText } from './answering.ts';

Object.assign(process.env, BUILT);
const engine = await Engine.open();
afterAll(() => engine.close());

const SAMPLES = (await projectSamples()).map((sample) => ({
  ...sample,
  title: `${sample.functionName}/${sample.name}`,
}));

type Options = Partial<KeepOptions> & { handlerModule?: string | undefined };

function plan(functionName: string, event: unknown, options: Options = {}): Promise<SamplePlan> {
  const folder = join(tmpdir(), 'no-such-folder');
  const { handlerModule: module, ...rest } = options;
  const handler = module === undefined ? null : { module, given: module };
  return planKeep({ engine, functionName, event, name: 'zz-1', folder, handler, ...rest });
}

test.each(SAMPLES)('$title is kept with the handler that it expects', async (sample) => {
  const { functionName, event, expected } = sample;
  const handlerModule = expected?.handler;
  // What its handler of code compares.
  const allowed = [{ path: 'assertion.attribute_statement[Role].value', text: 'staff' }];
  const isCode = sample.name === 'keycloak-staff';
  const kept = await plan(functionName, event, { handlerModule, allowed: isCode ? allowed : [] });
  expect(kept.blockers).toEqual([]);
  expect(kept.expected?.handler).toBe(handlerModule);
  const { type, user_group_uuids } = expected?.answer ?? {};
  const groups = handlerModule !== undefined && user_group_uuids !== undefined && { user_group_uuids };
  expect(kept.expected?.answer).toMatchObject({ type, ...groups });
});

describe('canaries in every text and key leave no trace', () => {
  /** Where anything else would be another login, or no event. */
  const MUST_STAY = 'time lifetime tokenType format method attributeName claimName header headerName'.split(
    ' ',
  );
  test.each(SAMPLES)('$title', async ({ functionName, event, expected }) => {
    const canary = (index: number) =>
      `Qwxzy${String.fromCharCode(97 + (index % 26), 97 + (Math.floor(index / 26) % 26))}jk`;
    let count = 0;
    const { event: planted } = rewriteLogin(
      { event: eventInside(event), outside: [] },
      (leaf, { role, path }) => {
        const isIssuer = /(?:^|\.)(?:issuer|iss)$/.test(path);
        if (typeof leaf === 'number' || isIssuer || MUST_STAY.includes(role)) return leaf;
        if (/^(?:true|false|[01])$/i.test(leaf)) return leaf;
        return leaf.replace(/\p{L}{2,}\d*/gu, () => canary(count++)) as typeof leaf;
      },
    );
    const kept = await plan(functionName, withMore(planted, canary), { handlerModule: expected?.handler });
    expect(count).toBeGreaterThan(4);
    expect(kept.blockers).toEqual([]);
    expect(writtenText(kept)).not.toMatch(/qwxzy|1815-12/i);
  });

  /** Canaries where names stand, and in places that a provider may fill. */
  function withMore(event: unknown, canary: (index: number) => string): unknown {
    if (!isJsonObject(event)) return event;
    const more = {
      [canary(1)]: { [canary(2)]: [canary(3), { deep: `${canary(4)}@${canary(5)}.org` }] },
      birthdate: '1815-12-10',
    };
    if (isJsonObject(event.idToken)) {
      const otherClaims = { ...(event.idToken.otherClaims as object), ...more };
      return { ...event, idToken: { ...event.idToken, otherClaims }, [canary(6)]: canary(7) };
    }
    const assertion = event.assertion as { assertionAttributeStatement: object[] };
    const named = attribute(`https://${canary(1)}.org/${canary(2)}`, '1815-12-10', canary(3));
    const assertionAttributeStatement = [...assertion.assertionAttributeStatement, named];
    return { ...event, assertion: { ...assertion, assertionAttributeStatement } };
  }
});

test('npm run check passes with what is kept, whichever handler answers it, of another system too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'login-hooks-'));
  const ORCID = '0000-0002-1825-0097';
  const asking = (await sampleEvent('openidLoggedIn', 'orcid')) as { idToken: { sub: string } };
  asking.idToken.sub = ORCID;
  const entry = { email: 'josiah@carberry.org', primary: true, verified: true, visibility: 'public' };
  const address = `https://pub.orcid.org/v3.0/${ORCID}/email`;
  const exchanges = [exchange(`GET ${address}`, { email: [entry], path: `/${ORCID}/email` })];
  const handlerModule = 'handlers/orcid-email';
  const orcid = await plan('openidLoggedIn', asking, { folder, handlerModule, exchanges });
  const { sub } = (orcid.event as typeof asking).idToken;
  expect(orcid.outside?.[0]?.request).toBe(`GET ${address.replace(ORCID, sub)}`);
  expect(writtenText(orcid)).not.toMatch(/josiah|carberry|-1825-/i);

  const chosen = /^(?:entra-groups|keycloak-suspended|edugain-joined.*|keycloak|orcid-other.*)$/;
  const others = SAMPLES.filter(({ name }) => chosen.test(name)).map(
    ({ functionName, event, expected }, index) =>
      plan(functionName, event, { name: `zz-${index + 2}`, folder, handlerModule: expected?.handler }),
  );
  const plans = [orcid, ...(await Promise.all(others))];
  for (const one of plans) await writeKept(one);
  const { status, stdout } = await runTool('check', [folder]);
  expect([status, stdout]).toEqual([0, expect.stringContaining(`${plans.length} of ${plans.length}`)]);
  await rm(folder, { recursive: true });
});

/** Long texts are replaced, and no pattern and no list takes more than fits. */
test.each<[string, Record<string, unknown>]>([
  ['a word of 500 kB', { photo: 'x7'.repeat(250_000) }],
  ['a word of 500 kB in another alphabet', { photo: 'ж7'.repeat(250_000) }],
  ['a domain of 200,000 labels', { photo: `${'ж.'.repeat(200_000)}7` }],
  ['a number of 500 kB', { photo: '71'.repeat(250_000) }],
  ['a photo of 500 kB in its URL', { picture: `data:image/png;base64,${'Zm9vYg'.repeat(90_000)}` }],
  ['a letter with 200,000 marks', { photo: `Ada${'\u0301'.repeat(200_000)}`, ada: 'Ada' }],
  ['a mark before a word, and the word without it', { nickname: '\u0301ada', given_name: 'ada' }],
  ['a URL of 100,000 parts', { website: `https://x.org/${'a/b='.repeat(50_000)}` }],
])('%s is kept', async (_, claims) => {
  expect((await planned(eventOf({ given_name: 'Ada', ...claims }))).blockers).toEqual([]);
});
