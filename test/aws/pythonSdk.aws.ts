/** Receivers that are written with version 1.0 of the Python SDK take every response, and lose nothing of it. */
import { beforeAll, expect, test } from '@jest/globals';
import { Engine } from '../../tools/local/engine.ts';
import { invokeStored } from '../../tools/local/samples.ts';
import { Stage } from '../../tools/shared/stage.ts';
import { BUILT, commandEnvironment } from '../support/environment.ts';
import { projectSamples } from '../support/projectSamples.ts';
import { receivedBySdk } from './machine/pythonSdk.ts';

interface SampleResponse {
  title: string;
  response: Record<string, unknown> | null;
}

/** What leaves for each sample event of the project. */
async function sampleResponses(): Promise<SampleResponse[]> {
  Object.assign(process.env, BUILT);
  const engine = await Engine.open({
    stage: new Stage('dev', commandEnvironment({ RESPONSE_NAMES: 'camelCase' })),
  });
  try {
    const responses: SampleResponse[] = [];
    for (const { functionName, name, event, expected, recordings } of await projectSamples()) {
      const { response } = await invokeStored(engine, {
        functionName,
        handlerModule: expected?.handler,
        event,
        requests: recordings ?? [],
        hasDefaultResponses: false,
      });
      responses.push({ title: `${functionName}/${name}`, response });
    }
    return responses;
  } finally {
    await engine.close();
  }
}

let samples: SampleResponse[];
beforeAll(async () => {
  samples = await sampleResponses();
});

const bySdk = (of: SampleResponse[]) => {
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
