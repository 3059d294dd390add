/** The words of the page for what the server names by codes. */

import type { Step } from '../../explain/loginSteps.ts';
import type { Finding } from '../../shared/finding.ts';
import { counted } from '../../shared/readable.ts';
import type { LoginRow, Origin, Served, SignInResult, Verdict } from '../api.ts';

/** How a response or a part of it is coloured and shaped; there is always a word beside it. */
export type Tone = 'good' | 'stopped' | 'bad' | 'none';

export interface Word {
  word: string;
  tone: Tone;
}

const TYPES: Readonly<Record<string, Word>> = {
  AuthorizedUserResponse: { word: 'Authorized', tone: 'good' },
  ForbiddenResponse: { word: 'Forbidden', tone: 'stopped' },
  ErrorResponse: { word: 'Error', tone: 'bad' },
};

/** @param type of a response; null where there is none */
export function typeWord(type: string | null): Word {
  if (type === null) return { word: 'No response', tone: 'none' };
  return TYPES[type] ?? { word: type, tone: 'none' };
}

/** A login that should not get in is the worst that a row can show. */
export function toneOf({ type, isWronglyIn }: LoginRow): Tone {
  return isWronglyIn ? 'bad' : typeWord(type).tone;
}

export const VERDICTS: Readonly<Record<Verdict, Word>> = {
  expected: { word: 'as expected', tone: 'good' },
  differs: { word: 'differs from the expected response', tone: 'stopped' },
  failed: { word: 'failed', tone: 'bad' },
  other: { word: 'expects another handler', tone: 'none' },
  unknown: { word: 'no expected response', tone: 'none' },
};

/** A shipped sample of which one's own handler asks other systems has no recorded responses, and nothing is wrong with it. */
export function isFailing({ verdict, isShipped, reason }: LoginRow): boolean {
  return verdict === 'failed' && !(isShipped && reason === 'not_recorded');
}

export const STEPS: Readonly<Record<Step['name'], string>> = {
  start: 'Start',
  request: 'Request',
  caller: 'Caller',
  event: 'Event',
  token: 'ID token',
  assertion: 'Assertion',
  handler: 'Handler',
  response: 'Response',
};

export const STEP_STATES: Readonly<Record<Step['state'], string>> = {
  passed: 'passed',
  refused: 'refused here',
  ended: 'ended here',
  'not reached': 'not reached',
};

/** Of fields. */
export const NOTES: Readonly<Record<string, string>> = {
  unproven: 'the provider does not say that the address is verified',
  unverified: 'the provider says that the address is not verified',
  unreadable: 'what the provider says of the address is neither yes nor no',
};

export const LEVELS: Readonly<Record<Finding['level'], Word>> = {
  error: { word: 'Problem', tone: 'bad' },
  warning: { word: 'Warning', tone: 'stopped' },
  note: { word: 'Note', tone: 'none' },
};

export const ORIGINS: Readonly<Record<Origin, string>> = {
  sample: 'Sample',
  received: 'Received',
  pasted: 'Pasted',
  'signed in': 'Signed in',
};

export const PROTOCOLS: Readonly<Record<SignInResult['protocol'], string>> = {
  openid: 'OpenID Connect',
  saml: 'SAML',
};

/** `handlers/uni-staff` of the project is `uni-staff`; the default handler has a name of its own. */
export function handlerWord(handler: string): string {
  return handler === '' ? 'no handler' : handler;
}

/** What a login is called in the list, and in the title of the page. */
export function titleOf({ origin, name, person }: LoginRow): string {
  return origin === 'sample' ? name : (person ?? 'Unknown person');
}

/** @param news what the last change did to the responses; empty where no file changed */
export function servedSentence({ state, at }: Served, news: string): string {
  if (state === 'unchanged') return 'Follows your files';
  if (state === 'saving') return 'saving …';
  const time = new Date(at).toLocaleTimeString();
  if (state === 'refused') return `not served ${time}`;
  return `served ${time}${news && `: ${news}`}`;
}

/** What a change of files did, for the line that is read out. */
export function changeSentence(files: readonly string[], logins: readonly LoginRow[]): string {
  const changed = logins.filter(({ changes }) => changes.length > 0).length;
  const failing = logins.filter(isFailing).length;
  const saved = files.length > 3 ? `${files.length} files` : files.join(', ');
  const done = changed === 0 ? 'no response changed' : `${counted(changed, 'response')} changed`;
  const failed = failing === 0 ? '' : `, ${counted(failing, 'login fails', 'logins fail')}`;
  return `${saved} changed: ${done}${failed}`;
}
