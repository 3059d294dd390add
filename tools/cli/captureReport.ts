/** What `npm run capture` prints of a login: what is wrong with it, and how the function answers it. */
import { styleText } from 'node:util';
import { withAnswer } from '../capture/answerFindings.ts';
import type { Captured } from '../capture/captured.ts';
import type { Finding } from '../capture/findings.ts';
import type { ServiceForm } from '../capture/serviceEvent.ts';
import { shownName } from '../explain/judgedSamples.ts';
import { againNoted, readsOf } from '../explain/reads.ts';
import type { KeepOptions } from '../keep/planKeep.ts';
import type { Engine } from '../local/engine.ts';
import { momentOf } from '../local/moment.ts';
import { explain } from './explain.ts';
import { failureLines } from './failure.ts';

export interface CaptureOptions {
  form?: string | undefined;
  handler?: string | undefined;
  values?: boolean | undefined;
}

/** A login with its event and what other systems answered the handler, as keeping it takes them. */
export type AnsweredCapture = Omit<KeepOptions, 'name'> & { isAuthorized: boolean };

const COLOURS = { problem: 'red', warning: 'yellow', note: 'dim' } as const;

/** @returns the login where an event can be made of it; else an empty list */
export async function printCapture(
  captured: Captured,
  engine: Engine | null,
  options: CaptureOptions,
): Promise<AnsweredCapture[]> {
  const { kind, where, functionName, events, findings } = captured;
  const title = [kind, where, `for ${functionName}`].filter(Boolean).join(', ');
  console.log(`${styleText('bold', title, { stream: process.stdout })}\n`);
  const event = events?.[options.form as ServiceForm];
  if (event !== undefined && engine !== null)
    return [await printAnswer({ engine, functionName, event }, findings, options)];
  printFindings(findings);
  console.log('It cannot be made into an event.\n');
  return [];
}

function printFindings(findings: readonly Finding[]): void {
  for (const finding of findings) console.log(`${findingLines(finding)}\n`);
}

function findingLines({ level, code, message, cure }: Finding): string {
  const head = styleText(COLOURS[level], `${level}  ${code}`, { stream: process.stdout });
  return [head, `  ${message}`, ...(cure === null ? [] : [`  ${cure}`])].join('\n');
}

interface CapturedEvent {
  engine: Engine;
  functionName: string;
  event: unknown;
}

async function printAnswer(
  { engine, functionName, event }: CapturedEvent,
  findings: readonly Finding[],
  { handler, values }: CaptureOptions,
): Promise<AnsweredCapture> {
  const given = handler ?? engine.stage.handlerOf(functionName);
  const handlerModule = given === undefined ? undefined : engine.moduleOf(given);
  const handlerName = given === undefined ? undefined : shownName(given);
  const question = {
    functionName,
    handlerModule,
    isChecked: false,
    isLive: false,
    event,
    moment: momentOf(event),
  };
  const answered = await engine.answer({ ...question, outside: 'ask' });
  const reads = await readsOf({ answered, event, functionName }, () =>
    againNoted(engine, question, answered),
  );
  const all = withAnswer(findings, { answered, event, functionName, env: engine.stage.env });
  printFindings(all);
  if (all.length === 0) console.log('No problems found.\n');
  console.log(
    'The response, at the time of the event, with the checks of callers, tokens and assertions off:\n',
  );
  console.log(`${explain({ answered, event, functionName, showsValues: values === true, reads })}\n`);
  for (const line of failureLines(answered, process.stdout)) console.log(line);
  const { exchanges } = answered.asked;
  const isAuthorized = answered.response?.type === 'AuthorizedUserResponse';
  return { engine, functionName, event, handlerModule, handlerName, exchanges, isAuthorized };
}
