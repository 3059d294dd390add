/** Findings stand beside the answer: they repeat nothing of it, and have no error where a person gets in. */
import { afterAll, expect, test } from '@jest/globals';
import { withAnswer } from '../../tools/capture/answerFindings.ts';
import { Engine } from '../../tools/local/engine.ts';
import { Samples } from '../../tools/local/samples.ts';
import { projectSamples } from '../support/projectSamples.ts';
import { readOne } from './caught.ts';

const SAMPLES = await projectSamples();

const engine = await Engine.open();
const samples = new Samples(engine, { isOffline: true });
afterAll(() => engine.close());

/** @param isDefault whether the default handler answers, and not the one that the sample expects */
async function judged(name: string, isDefault = false) {
  const sample = SAMPLES.find((one) => `${one.functionName}/${one.name}` === name);
  if (!sample) throw new Error(`there is no ${name}`);
  const { findings: all, ...read } = await readOne(JSON.stringify(sample.event), engine.stage.env);
  const answered = await samples.invoke(sample, isDefault ? undefined : sample.expected?.handler);
  expect(read).toMatchObject({
    kind: 'event',
    functionName: sample.functionName,
    events: { plain: sample.event },
  });
  return { all, answered, findings: withAnswer(all, { ...sample, answered }) };
}

test('every sample event is read as what it is, and answered by the handler that it expects', async () => {
  // Its body is cut.
  const all = SAMPLES.filter(({ name }) => name !== 'http-invalid-event');
  expect(all.length).toBeGreaterThan(60);
  for (const { functionName, name } of all) {
    const { answered, findings } = await judged(`${functionName}/${name}`);
    expect([name, findings.filter(({ level }) => level === 'error')]).toEqual([name, []]);
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
