/** Findings of a login by what the function answered: why it refused, and what to change at the provider or in the mapping. */
import { REASONS } from '../../lib/reasons.ts';
import type { AnsweredLogin } from '../explain/explanation.ts';
import { cardOf } from '../explain/card.ts';
import { explanationOf } from '../explain/explanation.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { type Finding, inOrder } from '../shared/finding.ts';
import { error, quoted } from './findings.ts';

export interface FoundLogin extends AnsweredLogin {
  /** The settings with which it was answered. */
  env: NodeJS.ProcessEnv;
}

/**
 * @param all in the login itself
 * @returns these and, for a login that was refused, an error with the reason of the answer as its code; errors first
 */
export function withAnswer(all: readonly Finding[], login: FoundLogin): Finding[] {
  const { answered } = login;
  const { reason } = answered;
  const { received, groups } = explanationOf(login);
  // What is odd about groups is nothing to a handler that reads none.
  const readsNoGroups = received !== null && groups === null;
  const found = all.filter(({ code }) => !(readsNoGroups && code.startsWith('groups_')));
  // Others are of the process, or of an answer that is not there yet.
  if (!isRefused(answered) || !Object.hasOwn(REASONS, reason)) return inOrder(found);
  return inOrder([refusal(login), ...found.filter(({ code }) => code !== reason)]);
}

function isRefused({ failed, response }: InvocationResult): boolean {
  return failed !== null || response?.type !== 'AuthorizedUserResponse';
}

/** No value of the event is in its message: what stands at a place of it is not told. */
function refusal(login: FoundLogin): Finding {
  const rows = cardOf(login, { env: login.env });
  const said = rows
    .filter(({ title, at }) => at === null && (title === 'Rule' || title === 'Found'))
    .map(({ title, text }) => `${title}: ${text}`);
  const message = [explanationOf(login).plainSentence, ...said].join('. ');
  const change = rows.find(({ title }) => title === 'Change')?.text ?? null;
  return error(login.answered.reason, `${quoted(message)}.`, change);
}
