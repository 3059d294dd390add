import { afterAll, describe, expect, test } from '@jest/globals';
import { DIST } from '../../tools/bundle/build.ts';
import { unwrap } from '../../tools/local/events.ts';
import { momentOf } from '../../tools/local/moment.ts';
import { Pool } from '../../tools/local/pool.ts';
import { REQUEST_ID } from '../../tools/local/process/functionProcess.ts';
import { handlerSetting } from '../../tools/shared/environment.ts';
import { projectSamples } from '../support/projectSamples.ts';

const samples = await projectSamples();
const pool = new Pool();
afterAll(() => pool.close());

describe('each sample event gives its expected answer through the built bundle', () => {
  test.each(samples)('$functionName/$name', async ({ functionName, event, expected }) => {
    if (!expected) throw new Error('expected an .expected.json beside the event');
    const env = handlerSetting(functionName, expected.handler);
    const fn = { name: functionName, root: DIST, version: '', env, isLive: false };
    const ask = { event, requestId: REQUEST_ID, moment: momentOf(event), outside: [] };
    const { result, asked } = await pool.answer(fn, ask);
    const { status, answer } = unwrap(result);
    expect({ status: status ?? 200, answer }).toEqual({ status: expected.status, answer: expected.answer });
    expect(asked.unanswered).toEqual([]);
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
