/**
 * `npm run check`: runs sample events and compares with the expected responses beside them. Exit code 1 for any
 * difference, crash, time-out or invalid response, and where a handler in force was compared with nothing or refuses nobody.
 *
 * An expected response belongs to the handler that it names, or to the default one. Where the default handler is in force, each
 * event is answered by the handler that it names. Otherwise all are answered by the one in force or given, and compared where the
 * expected response is its own. Callers, tokens and assertions are not checked, whatever the settings: the samples are unsigned.
 * Settings that change the form of responses have their defaults.
 */
import { dirname } from 'node:path';
import { Engine } from '../local/engine.ts';
import { EVENTS, eventsPath, type SampleEvent } from '../local/events.ts';
import { type Arguments, STAGE, UnusableInput } from '../shared/commandLine.ts';
import type { Io } from '../shared/process.ts';
import { FUNCTION_NAMES, FUNCTIONS } from '../shared/projectFunctions.ts';
import { Stage } from '../shared/stage.ts';
import type { Command } from '../shared/usage.ts';
import { uncheckedLines } from './attackReport.ts';
import type { Compared, RunResult } from './checked.ts';
import { compareReport, isWrong, runReport } from './checkReport.ts';
import { comparedWith, expectedAt } from './review/earlier.ts';
import { REPORTS } from './review/reports.ts';
import { comparedWithEarlier, reviewOf } from './review/review.ts';
import { Run } from './run.ts';
import { checkedSamples, expectHandlers, expectLabels, handlersOf, samplesFor } from './samples.ts';
import { watchSamples } from './watchSamples.ts';

export const COMMAND = {
  name: 'check',
  purpose: 'sends sample events through their handlers, and compares the responses with the expected ones',
  positionals: [
    {
      name: '<events>',
      about: 'an event by its file or its short name, or a folder like events/; default: events/',
      isOptional: true,
    },
  ],
  options: {
    handler: {
      type: 'string',
      value: '<module>',
      about: 'sends all events of a kind through this handler, not through the one that each expects',
    },
    against: {
      type: 'string',
      value: '<module or commit>',
      about: 'shows how the responses of this handler, or those that this commit of git expects, differ',
    },
    report: {
      type: 'string',
      value: '<markdown|junit|github>',
      choices: Object.keys(REPORTS),
      about: 'the responses, --coverage and --attack as one report for a pull request, without values',
    },
    only: {
      type: 'string',
      value: '<openid|saml>',
      choices: Object.keys(FUNCTIONS),
      about: 'only the events of one kind',
    },
    stage: STAGE,
    update: { type: 'boolean', about: 'writes the responses as the expected ones' },
    accept: {
      type: 'string',
      value: '<event>',
      multiple: true,
      about:
        'with --update, writes a refusal of this event in the place of a login, or a look-up that failed. May be given several times',
    },
    record: { type: 'boolean', about: 'records the responses of other systems, for later checks' },
    offline: { type: 'boolean', about: 'sends no request to other systems' },
    coverage: { type: 'boolean', about: 'names the rules and table rows of the mapping that no event hits' },
    all: { type: 'boolean', about: "shows the samples that login-hooks ships like one's own" },
    attack: { type: 'boolean', about: 'changes each login that is authorized, and shows what still gets in' },
    json: { type: 'boolean', about: 'the result of --attack as JSON' },
    watch: { type: 'boolean', about: 'runs again after each change of a file, and shows what changed' },
  },
  example: 'events/samlLoggedIn/keycloak.json --handler handlers/staff-group.ts',
  found:
    'a response differs, a handler fails, the one in force refuses nobody, --coverage finds a rule or row that no event hits, or --attack gets in',
} as const satisfies Command;

type Given = Arguments<typeof COMMAND.options>;

/** Pairs of which one makes the other pointless. */
const APART = [
  ['against', 'update'],
  ['against', 'record'],
  ['against', 'watch'],
  ['offline', 'record'],
  ...(['against', 'record', 'update', 'watch'] as const).map((other) => ['attack', other] as const),
  ['coverage', 'against'],
  ['coverage', 'watch'],
  ['watch', 'update'],
  ['watch', 'record'],
  ...(['attack', 'coverage', 'record', 'update', 'watch'] as const).map(
    (other) => ['report', other] as const,
  ),
] as const;

export async function main({ positionals: [place], values }: Given, { untilEnded }: Io): Promise<0 | 1> {
  for (const [one, other] of APART) {
    if (values[one] && values[other]) throw new UnusableInput(`expected --${one} or --${other}, found both`);
  }
  if (values.json && !values.attack) throw new UnusableInput('expected --attack with --json');
  const { report, accept = [] } = values;
  if (accept.length > 0 && !values.update) throw new UnusableInput('expected --update with --accept');
  const { handler: against, commit } = await comparedWith(values.against);
  const offline = [values.offline, values.attack, report !== undefined, commit !== null].includes(true);
  if (report !== undefined && against !== undefined)
    throw new UnusableInput(
      `expected a commit of git in --against beside --report, found the handler ${against}`,
    );
  const given = [values.handler, against].filter((one) => one !== undefined);
  const stage = new Stage(values.stage, process.env, { asksForSecrets: !offline });
  const path = place === undefined ? EVENTS : eventsPath(place);
  const found = await checkedSamples(path, values.only);
  expectLabels('--accept', accept, found);
  const engine = await Engine.open({
    stage,
    handlers: values.handler === undefined ? [...handlersOf(found, stage), ...given] : given,
    // A check of all events names each handler that cannot be built.
    isAlone: values.handler !== undefined || (place !== undefined && !values.watch),
    ...(values.watch && { watched: [path.endsWith('.json') ? dirname(path) : path] }),
  });
  try {
    expectHandlers(engine, given);
    const ofTheirKind = (all: SampleEvent[]) => samplesFor(given, all, stage);
    const samples = ofTheirKind(found);
    const showsAll = values.all === true || place !== undefined;
    const run = new Run(engine, { ...values, offline });
    const isOfAllEvents = path === EVENTS;
    const functions = FUNCTION_NAMES.filter((name) => !values.only || name === FUNCTIONS[values.only]);
    if (values.watch) {
      const read = async () => ofTheirKind(await checkedSamples(path, values.only));
      return await watchSamples({ engine, read, run, showsAll, isOfAllEvents, untilEnded });
    }
    const earlier = commit === null ? null : await expectedAt(commit, samples);
    if (report !== undefined) {
      const result = await run.of(samples, { coverage: true, attack: true, isOfAllEvents, functions });
      console.log(REPORTS[report]?.(reviewOf(result, earlier), process.env));
      return isWrong(result) ? 1 : 0;
    }
    if (earlier !== null) {
      const all = comparedWithEarlier(await run.events(samples), earlier);
      const compared = all.map(({ sample, before, answered }) => ({ sample, before, after: answered }));
      return tellCompared({ than: `than is expected at ${earlier.ref}`, all: compared }, engine);
    }
    if (against !== undefined) return tellCompared(await run.compare(samples, against), engine);
    const { coverage, attack } = values;
    const result = await run.of(samples, { coverage, attack, isOfAllEvents, functions });
    if (values.json) console.log(JSON.stringify({ attack: result.attack }, null, 2));
    else tell(result, { showsAll, stage });
    return isWrong(result) ? 1 : 0;
  } finally {
    await engine.close();
  }
}

function tell(result: RunResult, { showsAll, stage }: { showsAll: boolean; stage: Stage }): void {
  const { attack } = result;
  const totals = attack === null ? [] : uncheckedLines(attack, stage);
  const inForce = [...totals, ...result.inForce];
  console.log(runReport({ ...result, inForce }, { hasRows: attack === null, showsAll }));
}

function tellCompared({ all, than }: { all: Compared[]; than: string }, { broken }: Engine): 0 | 1 {
  const { text, differ } = compareReport(all, than, process.stdout);
  console.log(text);
  for (const { message } of broken) console.error(message);
  return broken.length > 0 || differ > 0 ? 1 : 0;
}
