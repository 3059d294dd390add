/** Findings of a login beside what the function answered: its explanation says why it refuses, and findings do not repeat that. */
import { differencesOf } from '../explain/differences.ts';
import { type AnsweredLogin, explanationOf } from '../explain/explanation.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { type Finding, inOrder } from '../shared/finding.ts';
import { listed, warning } from './findings.ts';

/**
 * @param all in the login itself
 * @returns errors first
 */
export function withAnswer(all: readonly Finding[], login: AnsweredLogin): Finding[] {
  const { received, groups } = explanationOf(login);
  // What is odd about groups is nothing to a handler that reads none.
  const readsNoGroups = received !== null && groups === null;
  const isTold = ({ code }: Finding) =>
    code !== login.answered.reason && !(readsNoGroups && code.startsWith('groups_'));
  return inOrder(all.filter(isTold));
}

/**
 * A known service writes a login otherwise than its provider sent it. Whether the function responds otherwise to that, too.
 *
 * @param known the response to the event as that service writes it, for the same request
 */
export function knownFormFindings(plain: InvocationResult, known: InvocationResult): Finding[] {
  const fields = differencesOf(plain, known).map(({ field }) => field);
  if (fields.length === 0) return [];
  const response = `${known.response?.type ?? 'nothing'} (${known.reason})`;
  return [
    warning(
      'known_form_differs',
      `A known service joins the values of one Attribute, and writes names short. To its event, the function responds with ${response}: other ${listed(fields)}.`,
      'If it is your service, have the provider send an Attribute for each value (Keycloak: "Single Role Attribute" and "Single Group Attribute" off).',
    ),
  ];
}
