/** How long it takes from saving a handler to the last response of all sample events. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { moduleOf } from '../../tools/bundle/handlers.ts';
import { Engine } from '../../tools/local/engine.ts';
import { type SampleEvent, sampleEvents } from '../../tools/local/events.ts';
import { Samples } from '../../tools/local/samples.ts';
import { median } from './statistics.ts';

const RUNS = 7;
/** Who answers the events of the handler that changes. */
const REPLACED = 'handlers/staff-group';

/** A row of the events, and the median and longest time in milliseconds; each answered by the handler that it expects. */
export async function changedHandler(): Promise<string[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'login-hooks-'));
  const file = join(folder, 'changing.ts');
  await save(file, 0);
  const samples = await sampleEvents();
  const engine = await Engine.open({ handlers: [file], watched: [] });
  try {
    const changing = moduleOf(file);
    const stored = new Samples(engine, { isOffline: true });
    const answerAll = () =>
      Promise.all(samples.map((sample) => stored.invoke(sample, moduleFor(sample, changing))));
    await answerAll();
    let changed = Promise.withResolvers<void>();
    engine.watch({ onChange: () => changed.resolve() });
    const times: number[] = [];
    for (let run = 1; run <= RUNS; run++) {
      changed = Promise.withResolvers<void>();
      const begun = performance.now();
      await save(file, run);
      await changed.promise;
      await answerAll();
      times.push(performance.now() - begun);
    }
    return [[String(samples.length), median(times).toFixed(0), Math.max(...times).toFixed(0)]];
  } finally {
    await engine.close();
    await rm(folder, { recursive: true });
  }
}

function save(file: string, version: number): Promise<void> {
  return writeFile(
    file,
    `import { forbidden } from 'login-hooks';\nexport default () => forbidden('Version ${version}.');\n`,
  );
}

function moduleFor({ expected }: SampleEvent, changing: string): string | undefined {
  return expected?.handler === REPLACED ? changing : expected?.handler;
}
