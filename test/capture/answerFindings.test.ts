/** Findings stand beside the answer: they repeat nothing of it, and have no error where a person gets in. */
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
  const all = captured?.findings ?? [];
  return { all, answered, findings: withAnswer(all, { ...sample, answered }) };
}

const isError = ({ level }: Finding) => level === 'error';

test('of every sample event, by the handler that it expects', async () => {
  const all = SAMPLES.filter(({ name }) => name !== 'http-invalid-event');
  for (const { functionName, name } of all) {
    const { answered, findings } = await judged(`${functionName}/${name}`);
    expect([name, findings.filter(isError)]).toEqual([name, []]);
    const texts = findings.map(({ code, message }) => `${code} ${message}`);
    expect([name, texts]).toEqual([name, [...new Set(texts)]]);
    expect([name, ...findings.map(({ code }) => code)]).not.toContain(answered.reason);
  }
});

test('groups that are left out are no warning for a handler that reads none', async () => {
  const { all, findings } = await judged('openidLoggedIn/entra-group-overage', true);
  const told = all.map(({ code }) => code);
  expect(told).toContain('groups_unknown');
  expect(findings.map(({ code }) => code)).toEqual(told.filter((code) => code !== 'groups_unknown'));
});
