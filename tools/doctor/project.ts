/** The project on this machine: its packages, and whether handlers, settings and events still belong together. */
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { handlerNames } from '../bundle/build.ts';
import { withoutExtension } from '../bundle/bundler.ts';
import { notHit } from '../explain/coverage.ts';
import { JudgedSamples } from '../explain/judgedSamples.ts';
import { mappingCoverages } from '../explain/mappingCoverages.ts';
import { Engine } from '../local/engine.ts';
import { type SampleEvent, sampleEvents } from '../local/events.ts';
import { Samples } from '../local/samples.ts';
import { CONFIGURATION, ofProject } from '../shared/project.ts';
import { FUNCTION_NAMES } from '../shared/projectFunctions.ts';
import { Stage } from '../shared/stage.ts';
import { advisories } from './advisories.ts';
import { type DoctorFinding, type Examination, finding, note } from './examination.ts';
import { runtimeFindings } from './runtimes.ts';

const HANDLERS = 'handlers/';

export const project: Examination = async ({ stage, nowMs }) => {
  const [handlers, samples] = [handlerNames(), await sampleEvents()];
  const found = await Promise.all([
    runtimeFindings('Node', `nodejs${process.versions.node.split('.')[0]}.x`, nowMs),
    advisories(),
    unnamedHandlers(handlers, stage),
    goneHandlers(handlers, samples),
    coverage(samples, stage),
  ]);
  return { findings: found.flat(), unasked: [], facts: {} };
};

/** Of any stage: one that is named by no settings is never deployed as a policy. */
async function unnamedHandlers(
  handlers: readonly string[],
  { folder, env }: Stage,
): Promise<DoctorFinding[]> {
  const files = await Array.fromAsync(glob('.env*', { cwd: folder }), (file) => join(folder, file));
  const texts = await Promise.all(
    [CONFIGURATION, ...files].map((file) => readFile(file, 'utf8').catch(() => '')),
  );
  const named = [...texts, ...Object.values(env)].join('\n');
  const unnamed = handlers.filter((name) => !new RegExp(`${RegExp.escape(name)}(?![\\w/-])`).test(named));
  if (unnamed.length === 0) return [];
  const cure = 'name it below custom.loginHooks in serverless.yml or in a setting, or remove it';
  return [note('handlers_unnamed', HANDLERS, `no setting names ${unnamed.join(', ')}`, cure)];
}

function goneHandlers(handlers: readonly string[], samples: readonly SampleEvent[]): DoctorFinding[] {
  return samples.flatMap(({ file, expected }) => {
    const { handler = '' } = expected ?? {};
    if (!handler.startsWith(HANDLERS) || handlers.includes(withoutExtension(handler))) return [];
    return [
      finding(
        'event_handler_gone',
        ofProject(file),
        `the event expects a response of ${handler}, which is gone`,
        'name another handler in its expected response, or remove the event',
      ),
    ];
  });
}

/** Of the mappings in force, by all events of their kind. Other systems are not asked. */
async function coverage(all: readonly SampleEvent[], { name, env }: Stage): Promise<DoctorFinding[]> {
  const stage = new Stage(name, env, { asksForSecrets: false });
  const handlers = FUNCTION_NAMES.flatMap((fn) => stage.handlerOf(fn) ?? []);
  const samples = all.filter(({ functionName }) => stage.handlerOf(functionName) !== undefined);
  if (samples.length === 0) return [];
  const engine = await Engine.open({ stage, handlers: handlers.map(withoutExtension), isAlone: true });
  try {
    const judged = new JudgedSamples(engine, new Samples(engine, { isOffline: true }));
    const answered = await Promise.all(samples.map((sample) => judged.judge(sample)));
    return (await mappingCoverages(answered, engine)).flatMap(({ handler, coverage }) => {
      const paths = notHit(coverage).map(({ path }) => path);
      if (paths.length === 0) return [];
      const cure = 'add events that hit them: npm run check -- --coverage shows them';
      return [note('coverage_incomplete', handler, `no event hits ${paths.join(', ')}`, cure)];
    });
  } finally {
    await engine.close();
  }
}
