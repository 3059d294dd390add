/** Answers events in the folder of a project, and writes the answers as JSON: `node earlierWorker.ts <events> <stage>`. */
import { JudgedSamples } from '../../explain/judgedSamples.ts';
import { Engine } from '../../local/engine.ts';
import { labelOf, sampleEvents } from '../../local/events.ts';
import { Samples } from '../../local/samples.ts';
import { Stage } from '../../shared/stage.ts';
import { handlersOf } from '../checkedSamples.ts';

const [events = '', stageName] = process.argv.slice(2);
const stage = new Stage(stageName, process.env, { asksForSecrets: false });
const samples = await sampleEvents(events);
const engine = await Engine.open({ stage, handlers: handlersOf(samples, stage) });
try {
  const judged = new JudgedSamples(engine, new Samples(engine, { isOffline: true }));
  const answers = await Promise.all(
    samples.map(async (sample) => [labelOf(sample), (await judged.judge(sample)).answered]),
  );
  process.stdout.write(JSON.stringify(Object.fromEntries(answers)));
} finally {
  await engine.close();
}
