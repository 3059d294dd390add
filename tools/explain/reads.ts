/** What a handler of code reads of an event: noted in a second run, only for the explanation. */
import type { Engine } from '../local/engine.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { lastRecord } from '../local/process/logRecords.ts';
import type { EventRead } from '../local/process/notedEvent.ts';
import { kindOf } from '../shared/functions.ts';
import { differencesOf } from './differences.ts';
import type { AnsweredLogin } from './explanation.ts';
import { attributeAt, handlerEvent, nameAt, type Place, textsAt } from './places.ts';

/** A claim, an attribute or another part of the event that was read. */
export interface HandlerRead {
  /** Of the claim or attribute, as providers call it, e.g. `Role`. */
  name: string;
  /** What it has where it was read; null where there is nothing. */
  text: string | null;
  /** Where that stands; of several places in it, the first. */
  at: Place;
  what: EventRead['what'];
}

/** In the order of the code; a sentence where they are not known, which says why. */
export type HandlerReads = readonly HandlerRead[] | string;

/** Of checks of the login before its handler, and of one that would take as long again. */
const NOT_HANDLED = /^(?:token_|keys_|assertion_|handler_timed_out$)/;

/** @returns null for the default handler and a mapping, whose explanation says more, and where no handler decided */
export async function readsOf(
  login: AnsweredLogin,
  engine: Pick<Engine, 'invoke'>,
): Promise<HandlerReads | null> {
  const { answered, event, functionName } = login;
  const { handler, response, again, records } = answered;
  const reason = reasonIn(answered);
  // The issuer is known once the event is read.
  const { issuer } = lastRecord(records, 'login');
  const isHandled = issuer !== undefined && !NOT_HANDLED.test(reason);
  if (!isHandled || response === null || again === undefined || ['', 'default'].includes(handler))
    return null;
  // The login has passed the checks, and a signature may be too old by now.
  const noted = await engine.invoke({ ...again, isChecked: false, isNotingReads: true });
  const reads = lastRecord(noted.records, 'handler_reads').reads as EventRead[] | null | undefined;
  if (reads === null) return null;
  const end = reasonIn(noted);
  if (reads === undefined || reason !== end || differencesOf(answered, noted).length > 0) {
    const reasons = reason === end ? '' : ` (${end}, not ${reason})`;
    return `The handler runs a second time to note what it reads. That run ended differently${reasons}, so nothing is shown.`;
  }
  return byName(reads, handlerEvent(event, kindOf(functionName)));
}

/** What the function said itself: of a sample, a response that is not recorded may stand in the place of that. */
function reasonIn(answered: InvocationResult): string {
  return String(lastRecord(answered.records, 'login').reason ?? answered.reason);
}

/** In characters, of a claim that was read as a whole. */
const MAX_TEXT = 200;

function byName(reads: readonly EventRead[], event: unknown): HandlerRead[] {
  const used = reads.flatMap(({ path, what }) => {
    const attribute = attributeAt(path);
    const [part = 'value'] = attribute ? path.slice(attribute.length) : [];
    // Code reads the names of each attribute that it looks through.
    if (part !== 'value') return [];
    const at = attribute ? [...attribute, part] : path;
    return [{ name: nameAt(event, at) || 'the event', at, what }];
  });
  const named = Map.groupBy(used, ({ name }) => name);
  return Array.from(named.values(), (parts): HandlerRead => {
    const [first] = parts as [(typeof used)[number]];
    const texts = parts.flatMap(({ at }) => textsAt(event, at)).map(({ text }) => text);
    const isAbsent = parts.every(({ what }) => what === 'absent');
    return { ...first, text: isAbsent ? null : texts.join(', ').slice(0, MAX_TEXT) };
  });
}
