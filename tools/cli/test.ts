/**
 * `login-hooks test`: all that can be wrong with a project, for its `npm test`. Types, then each event with the handler that
 * it expects, whatever handler the settings name, then the same events as an attacker would change them. Without a request to
 * another system: the result is the same on each machine.
 *
 * A rule or a table row that no event hits is a finding: with a mistake in it, nobody would notice. One event may hit all rows.
 */
import { Engine } from '../local/engine.ts';
import { EVENTS, labelOf, type SampleEvent } from '../local/events.ts';
import { type Arguments, STAGE } from '../shared/commandLine.ts';
import { FUNCTION_NAMES } from '../shared/projectFunctions.ts';
import { Stage } from '../shared/stage.ts';
import { type Command, typed } from '../shared/usage.ts';
import { checkedSamples } from './checkedSamples.ts';
import { type Checked, detailsOf } from './checkReport.ts';
import { Check } from './checkRun.ts';
import { eventsFor, noEvent } from './ownEvents.ts';
import { attackFindings, coverageFindings, type PolicyFindings } from './policyFindings.ts';
import { typeMistakes } from './typeMistakes.ts';

export const COMMAND = {
  name: 'test',
  purpose: "checks a project's types, events and the coverage of its mappings, for its npm test",
  options: { stage: STAGE },
  example: '--stage prod',
  found:
    'a type is wrong, a handler fails, a response differs, no event hits a rule or table row, or an attack gets in',
} as const satisfies Command;

/** What there is to judge. */
interface Tested {
  samples: readonly SampleEvent[];
  answered: readonly Checked[];
  engine: Engine;
  stage: Stage;
  check: Check;
}

const PARTS: readonly ((tested: Tested) => PolicyFindings | Promise<PolicyFindings>)[] = [
  types,
  handlers,
  events,
  ({ answered, engine }) => coverageFindings(answered, engine),
  async ({ check, samples }) => attackFindings(await check.attackAll(samples)),
];

export async function main({ values }: Arguments<typeof COMMAND.options>): Promise<0 | 1> {
  const stage = new Stage(values.stage, process.env, { hasHandlers: false, asksForSecrets: false });
  const samples = await checkedSamples(EVENTS);
  const engine = await Engine.open({
    stage,
    handlers: samples.flatMap(({ expected }) => expected?.handler ?? []),
  });
  try {
    const check = new Check(engine, { offline: true, showsAll: true });
    const answered = await check.checkAll(samples);
    const tested = { samples, answered, engine, stage, check };
    const parts = await Promise.all(PARTS.map((part) => part(tested)));
    const findings = parts.flatMap((part) => part.findings);
    for (const finding of findings) console.log(`${finding}\n`);
    console.log(parts.flatMap(({ total }) => total ?? []).join(', '));
    return findings.length > 0 ? 1 : 0;
  } finally {
    await engine.close();
  }
}

async function types(): Promise<PolicyFindings> {
  return { findings: await typeMistakes() };
}

/** Those that cannot be built, and those in force that no event tests. */
function handlers({ engine, samples, stage }: Tested): PolicyFindings {
  const untested = FUNCTION_NAMES.flatMap((functionName) => {
    const handler = stage.namedHandlerOf(functionName);
    if (handler === undefined || eventsFor(functionName, handler, samples).length > 0) return [];
    return [noEvent(functionName, handler, stage)];
  });
  return { findings: [...engine.broken.map(({ message }) => message), ...untested] };
}

function events({ answered }: Tested): PolicyFindings {
  const expected = answered.filter(({ verdict }) => verdict.kind === 'expected');
  const unknown = answered.filter(({ verdict }) => verdict.kind === 'unknown');
  const labels = unknown.map(({ sample }) => labelOf(sample)).join(', ');
  const missing = `no expected response: ${labels}; ${typed('check', '--update')} writes it`;
  return {
    findings: [...detailsOf(answered, process.stdout), ...(unknown.length > 0 ? [missing] : [])],
    total: `${expected.length} of ${answered.length} events as expected`,
  };
}
