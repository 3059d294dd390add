import { describe, expect, test } from '@jest/globals';
import { handlerSetting } from '../../tools/engine/environment.ts';
import { sampleEvents } from '../../tools/engine/events.ts';
import { type FunctionName, login } from '../support/bundle.ts';

const samples = await sampleEvents();

describe('each sample event gives its expected answer through the built bundle', () => {
  test.each(samples)('$functionName/$name', async ({ functionName, event, expected }) => {
    if (!expected) throw new Error('expected an .expected.json beside the event');
    const env = handlerSetting(functionName, expected.handler);
    const { status, answer } = await login(functionName as FunctionName, event, { env });
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
