/** What leaves for each sample event of the project, as the settings of a stage have it. */
import { Engine } from '../../tools/local/engine.ts';
import { invokeStored } from '../../tools/local/samples.ts';
import { Stage } from '../../tools/shared/stage.ts';
import { BUILT, commandEnvironment } from './environment.ts';
import { projectSamples } from './projectSamples.ts';

interface SampleResponse {
  title: string;
  response: Record<string, unknown> | null;
}

export async function sampleResponses(settings: Record<string, string>): Promise<SampleResponse[]> {
  Object.assign(process.env, BUILT);
  const engine = await Engine.open({ stage: new Stage('dev', commandEnvironment(settings)) });
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
