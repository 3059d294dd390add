/** What `npm run capture` prints of a login: what is wrong with it, and how the function answers it. */
import { isDeepStrictEqual, styleText } from 'node:util';
import { knownFormFindings, withAnswer } from '../capture/answerFindings.ts';
import type { Captured, CapturedEvents } from '../capture/captured.ts';
import { shownName } from '../explain/judgedSamples.ts';
import { againNoted, readsOf } from '../explain/reads.ts';
import type { KeepOptions } from '../keep/plan.ts';
import type { Engine } from '../local/engine.ts';
import { frozenTimeOf } from '../local/httpEvent.ts';
import { REQUEST_ID } from '../local/process/functionProcess.ts';
import { type Finding, findingText } from '../shared/finding.ts';
import { explain } from './explain.ts';
import { failureLines } from './failure.ts';

export interface CaptureOptions {
  handler?: string | undefined;
  values?: boolean | undefined;
}

/** A login with its event and what other systems answered the handler, as keeping it takes them. */
export type AnsweredCapture = Omit<KeepOptions, 'name'> & { isAuthorized: boolean };

/** @returns the login where an event can be made of it; else an empty list */
export async function printCapture(
  captured: Captured,
  engine: Engine | null,
  options: CaptureOptions,
): Promise<AnsweredCapture[]> {
  const { kind, where, functionName, events, findings } = captured;
  const title = [kind, where, `for ${functionName}`].filter(Boolean).join(', ');
  console.log(`${styleText('bold', title, { stream: process.stdout })}\n`);
  if (events !== null && engine !== null)
    return [await printAnswer({ engine, functionName, events }, findings, options)];
  printFindings(findings);
  console.log('It cannot be made into an event.\n');
  return [];
}

function printFindings(findings: readonly Finding[]): void {
  for (const finding of findings) console.log(`${findingText(finding)}\n`);
}

interface CapturedLogin {
  engine: Engine;
  functionName: string;
  events: CapturedEvents;
}

async function printAnswer(
  { engine, functionName, events }: CapturedLogin,
  findings: readonly Finding[],
  { handler, values }: CaptureOptions,
): Promise<AnsweredCapture> {
  const event = events.plain;
  const given = handler ?? engine.stage.handlerOf(functionName);
  const handlerModule = given === undefined ? undefined : engine.moduleOf(given);
  const handlerName = given === undefined ? undefined : shownName(given);
  const question = {
    functionName,
    handlerModule,
    isChecked: false,
    event,
    frozenTime: frozenTimeOf(event),
    requestId: REQUEST_ID,
  };
  const answered = await engine.invoke({ ...question, requests: 'live' });
  const { recordings } = answered.requests;
  const ofKnown = isDeepStrictEqual(event, events.known)
    ? answered
    : await engine.invoke({ ...question, event: events.known, requests: recordings });
  const reads = await readsOf({ answered, event, functionName }, () =>
    againNoted(engine, question, answered),
  );
  const found = [...findings, ...knownFormFindings(answered, ofKnown)];
  const all = withAnswer(found, { answered, event, functionName });
  printFindings(all);
  if (all.length === 0) console.log('No problems found.\n');
  console.log(
    'The response, at the time of the event, with the checks of callers, tokens and assertions off:\n',
  );
  const login = { answered, event, functionName };
  const options = { reads, atMs: question.frozenTime, showsValues: values === true };
  console.log(`${explain(login, engine, options)}\n`);
  for (const line of failureLines(answered, process.stdout)) console.log(line);
  const isAuthorized = answered.response?.type === 'AuthorizedUserResponse';
  return { engine, functionName, event, handlerModule, handlerName, exchanges: recordings, isAuthorized };
}
