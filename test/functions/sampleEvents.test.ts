import { afterAll, describe, expect, test } from '@jest/globals';
import { handlerSetting } from '../../tools/engine/environment.ts';
import { sampleEvents } from '../../tools/engine/events.ts';
import { type FunctionProcess, REQUEST_ID, startFunction } from '../../tools/lambda/functionProcess.ts';
import { answerOf } from '../support/bundle.ts';

const samples = await sampleEvents();

/** One process for each handler, as on Lambda: it answers many events. `npm run check` has a process for each event. */
const processes = new Map<string, Promise<FunctionProcess>>();
afterAll(async () => {
  for (const fn of processes.values()) await (await fn).stop();
});

function processOf(name: string, handler: string | undefined): Promise<FunctionProcess> {
  const key = `${name} ${handler}`;
  const fn = processes.get(key) ?? startFunction({ name, env: handlerSetting(name, handler) });
  processes.set(key, fn);
  return fn;
}

describe('each sample event gives its expected answer through the built bundle', () => {
  test.each(samples)('$functionName/$name', async ({ functionName, event, expected }) => {
    if (!expected) throw new Error('expected an .expected.json beside the event');
    const fn = await processOf(functionName, expected.handler);
    // The fixed request id, which the expected messages have.
    const { status, answer } = await answerOf(fn, event, REQUEST_ID);
    expect({ status: status ?? 200, answer }).toEqual({ status: expected.status, answer: expected.answer });
  });
});

test('both functions have samples, in every envelope', () => {
  const envelopes = ['http-alb', 'http-api-v2', 'http-function-url', 'http-rest-v1'];
  for (const functionName of ['openidLoggedIn', 'samlLoggedIn']) {
    const names = samples.filter((sample) => sample.functionName === functionName).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(envelopes));
    expect(names.length).toBeGreaterThan(envelopes.length);
  }
});
