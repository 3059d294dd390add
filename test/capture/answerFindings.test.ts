/** Findings follow the answer: a person who gets in has no error of the profile, and one who is refused has one with what to change. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withAnswer } from '../../tools/capture/answerFindings.ts';
import { readCapture } from '../../tools/capture/readCapture.ts';
import { Engine } from '../../tools/local/engine.ts';
import { Samples } from '../../tools/local/samples.ts';
import type { Finding } from '../../tools/shared/finding.ts';
import { projectSamples } from '../support/projectSamples.ts';

const SAMPLES = await projectSamples();

let engine: Engine;
let samples: Samples;
beforeAll(async () => {
  engine = await Engine.open();
  samples = new Samples(engine, { isOffline: true });
});
afterAll(() => engine.close());

/** @param isDefault whether the default handler answers, and not the one that the sample expects */
async function judged(name: string, isDefault = false) {
  const sample = SAMPLES.find((one) => `${one.functionName}/${one.name}` === name);
  if (!sample) throw new Error(`there is no ${name}`);
  const env = engine.stage.env;
  const [captured] = await readCapture(JSON.stringify(sample.event), { environment: () => env });
  const answered = await samples.invoke(sample, isDefault ? undefined : sample.expected?.handler);
  return { answered, findings: withAnswer(captured?.findings ?? [], { ...sample, answered, env }) };
}

const isError = ({ level }: Finding) => level === 'error';

test('of every sample event, by the handler that it expects', async () => {
  const all = SAMPLES.filter(({ name }) => name !== 'http-invalid-event');
  for (const { functionName, name } of all) {
    const { answered, findings } = await judged(`${functionName}/${name}`);
    const problems = findings.filter(isError);
    const isIn = answered.response?.type === 'AuthorizedUserResponse';
    expect([name, problems.length > 0]).toEqual([name, !isIn]);
    if (!isIn) expect([name, ...problems.map(({ code }) => code)]).toContain(answered.reason);
    for (const { change } of problems)
      expect([name, change]).toEqual([name, expect.stringMatching(/\w.*\.$/s)]);
    const texts = findings.map(({ code, message }) => `${code} ${message}`);
    expect([name, texts]).toEqual([name, [...new Set(texts)]]);
  }
});

test('a refusal names the rule and what did not arrive, but no value', async () => {
  const { findings } = await judged('openidLoggedIn/orcid');
  expect(findings.find(isError)?.message).toMatch(/^Error: .*`email` is absent.*what arrived: amr, /);
  const suspended = await judged('openidLoggedIn/keycloak-suspended');
  expect(suspended.findings.find(isError)?.message).toBe(
    'Forbidden: a rule of the mapping refuses. Rule: rules[1].no_group.',
  );
});

test('groups that are left out are no warning for a handler that reads none', async () => {
  const codes = async (isDefault: boolean) =>
    (await judged('openidLoggedIn/entra-group-overage', isDefault)).findings.map(({ code }) => code);
  expect(await codes(true)).not.toContain('groups_unknown');
  expect(await codes(false)).toContain('groups_unknown');
});

test('what the default handler refuses is no problem of a handler that lets the person in', async () => {
  const codesOf = async (isDefault: boolean) =>
    (await judged('openidLoggedIn/keycloak-unverified-email-accepted', isDefault)).findings
      .filter(isError)
      .map(({ code }) => code);
  expect(await codesOf(true)).toEqual(['email_unverified']);
  expect(await codesOf(false)).toEqual([]);
});
