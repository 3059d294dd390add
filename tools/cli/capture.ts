/** `capture`: reads what was caught of a login, in a browser's developer tools or in the service. */
import { text as textOf } from 'node:stream/consumers';
import { isDeepStrictEqual, styleText } from 'node:util';
import { showable } from '../../lib/text.ts';
import { knownFormFindings, withAnswer } from '../capture/answerFindings.ts';
import type { Captured } from '../capture/captured.ts';
import { readCapture } from '../capture/readCapture.ts';
import type { ServiceEvents } from '../capture/serviceEvent.ts';
import { handlerFor } from '../explain/judgedSamples.ts';
import { readsOf } from '../explain/reads.ts';
import { type KeepOptions, planKeep, type SamplePlan, writeKept } from '../keep/plan.ts';
import type { Engine } from '../local/engine.ts';
import { invokeStored } from '../local/samples.ts';
import { type Arguments, HANDLER, readTextFile, STAGE, UnusableInput } from '../shared/commandLine.ts';
import { findingText } from '../shared/finding.ts';
import { Stage } from '../shared/stage.ts';
import { type Command, typed } from '../shared/usage.ts';
import { explain } from './explain.ts';
import { failureLines } from './failure.ts';
import { openEngine } from './samples.ts';

export const COMMAND = {
  name: 'capture',
  purpose: 'reads a captured login: what is wrong with it, and the response',
  positionals: [
    {
      name: '<file>',
      about: 'a SAMLResponse, tokens, a recording of the browser or an event; - reads stdin',
    },
  ],
  options: {
    metadata: {
      type: 'string',
      value: '<file>',
      about: 'the SAML metadata of the provider, to check signatures',
    },
    handler: HANDLER,
    values: { type: 'boolean', about: 'shows the values that the handler used' },
    keep: {
      type: 'string',
      value: '<name>',
      about: 'plans a sample of the login without the person: shows which texts stay',
    },
    yes: { type: 'boolean', about: 'writes the sample of --keep' },
    stage: STAGE,
  },
  example: 'response.txt --metadata idp.xml',
  found:
    'there is an error, no event can be made of the login, it is not authorized, or --keep is not possible',
} as const satisfies Command;

type Values = Arguments<typeof COMMAND.options>['values'];

export async function main({
  positionals: [source = ''],
  values,
}: Arguments<typeof COMMAND.options>): Promise<0 | 1> {
  const stage = new Stage(values.stage);
  if (values.yes && values.keep === undefined) throw new UnusableInput('expected --keep <name> with --yes');
  const captures = await capturesOf(source, stage, values);
  const functionNames = captures.flatMap(({ events, functionName }) => (events ? [functionName] : []));
  await using engine =
    functionNames.length > 0 ? await openEngine(stage, functionNames, values.handler) : null;
  const logins = (await Array.fromAsync(captures, (captured) => tell(captured, engine, values))).flat();
  const isKept = values.keep === undefined || (await keep(logins, values.keep, values.yes === true));
  const isWrong = captures.some(({ findings }) => findings.some(({ level }) => level === 'error'));
  const isAllIn = logins.length === captures.length && logins.every(({ isAuthorized }) => isAuthorized);
  return isWrong || !isAllIn || !isKept ? 1 : 0;
}

/** @throws {UnusableInput} */
async function capturesOf(source: string, stage: Stage, values: Values): Promise<Captured[]> {
  const [text, metadata] = await Promise.all([
    source === '-' ? textOf(process.stdin) : readTextFile(source),
    values.metadata === undefined ? undefined : readTextFile(values.metadata),
  ]);
  const environment = (functionName: string) => stage.environmentOf(functionName, values.handler);
  return readCapture(text, { metadata, metadataFile: values.metadata, environment });
}

/** A login with its event and what other systems answered the handler, as keeping it takes them. */
type AnsweredCapture = Omit<KeepOptions, 'name'> & { isAuthorized: boolean };

/** @returns the login where an event can be made of it; else an empty list */
async function tell(captured: Captured, engine: Engine | null, values: Values): Promise<AnsweredCapture[]> {
  const { kind, where, functionName, events, findings } = captured;
  const title = [kind, where, `for ${functionName}`].filter(Boolean).join(', ');
  console.log(`${styleText('bold', title, { stream: process.stdout })}\n`);
  if (events !== null && engine !== null) return [await answer(engine, { ...captured, events }, values)];
  for (const finding of findings) console.log(`${findingText(finding)}\n`);
  console.log('It cannot be made into an event.\n');
  return [];
}

async function answer(
  engine: Engine,
  { functionName, events, findings }: Captured & { events: ServiceEvents },
  { handler: given, values: showsValues = false }: Values,
): Promise<AnsweredCapture> {
  const event = events.plain;
  const handler = handlerFor({ functionName, expected: null }, engine.stage, { handler: given });
  const question = { functionName, handlerModule: handler?.module ?? null, event };
  const answered = await invokeStored(engine, { ...question, requests: 'live' });
  const requests = answered.requests.recordings;
  const isOneForm = isDeepStrictEqual(event, events.known);
  const ofKnown = isOneForm
    ? answered
    : await invokeStored(engine, { ...question, event: events.known, requests });
  const login = { answered, event, functionName };
  const reads = await readsOf(login, engine);
  const all = withAnswer([...findings, ...knownFormFindings(answered, ofKnown)], login);
  for (const finding of all) console.log(`${findingText(finding)}\n`);
  if (all.length === 0) console.log('No problems found.\n');
  console.log(
    'The response, at the time of the event, with the checks of callers, tokens and assertions off:\n',
  );
  console.log(`${explain(login, engine, { reads, showsValues })}\n`);
  for (const line of failureLines(answered, process.stdout)) console.log(line);
  const isAuthorized = answered.response?.type === 'AuthorizedUserResponse';
  return { engine, functionName, event, handler, exchanges: requests, isAuthorized };
}

/**
 * @param isConfirmed whether the files are written; otherwise only the plan is shown
 * @returns whether nothing stands in the way
 */
async function keep(
  logins: readonly AnsweredCapture[],
  name: string,
  isConfirmed: boolean,
): Promise<boolean> {
  const [login, ...others] = logins;
  if (login === undefined || others.length > 0)
    throw new UnusableInput(`--keep: expected one login with an event, found ${logins.length}`);
  const plan = await planKeep({ ...login, name });
  console.log(planText(plan));
  if (plan.blockers.length > 0) return false;
  if (isConfirmed) await writeKept(plan);
  const [file = ''] = plan.files;
  const written = `The sample is ${file}. Try it: ${typed('check', file)}`;
  console.log(isConfirmed ? written : 'Nothing is written yet. If all of this may be kept, add --yes.');
  return true;
}

function planText({ kept, blockers, files }: SamplePlan): string {
  if (blockers.length > 0) {
    const title = styleText('red', 'The login cannot be kept:', { stream: process.stdout });
    return [title, ...blockers.map((blocker) => `  ${blocker}`)].join('\n');
  }
  const { standard = [], others = [] } = Object.groupBy(kept, ({ isStandard }) =>
    isStandard ? 'standard' : 'others',
  );
  const lines = Array.from(
    Map.groupBy(others, ({ why }) => why),
    ([why, ones]) => `  ${why}: ${textsOf(ones)}`,
  );
  const head = `These texts of the login are kept in ${files.join(', ')}. All others get pseudonyms.`;
  const ofStandards = `  Of standards and providers' documents, in every login: ${textsOf(standard)}`;
  return [head, ...lines, ...(standard.length > 0 ? [ofStandards] : []), ''].join('\n');
}

function textsOf(kept: SamplePlan['kept']): string {
  return [...new Set(kept.map(({ text }) => JSON.stringify(showable(text))))].join(', ');
}
