/** Receivers that are written with version 1.0 of the Python SDK take every response, and lose nothing of it. */
import { beforeAll, expect, test } from '@jest/globals';
import { sampleResponses } from '../support/sampleResponses.ts';
import { receivedBySdk } from './machine/pythonSdk.ts';

type Samples = Awaited<ReturnType<typeof sampleResponses>>;

let samples: Samples;
beforeAll(async () => {
  samples = await sampleResponses({ RESPONSE_NAMES: 'camelCase' });
});

const bySdk = (of: Samples) => {
  const received = receivedBySdk(of.map(({ response }) => response));
  return of.map(({ title }, index) => ({ title, response: received[index] }));
};

test('every response to a sample event is what the models hold', () => {
  expect(
    samples.filter(({ response }) => response?.type === 'AuthorizedUserResponse').length,
  ).toBeGreaterThan(20);
  expect(samples.some(({ response }) => (response?.userGroupUuids as unknown[])?.length > 0)).toBe(true);
  expect(bySdk(samples)).toEqual(samples);
});

test('a name that is null is refused, which is why all three fields are required by default', () => {
  const [ada = null] = samples.filter(({ response }) => response?.type === 'AuthorizedUserResponse');
  const nameless = { title: 'no name', response: { ...ada?.response, lastName: null } };
  expect(bySdk([nameless])).toEqual([{ title: 'no name', response: ['lastName: string_type'] }]);
});
