/** A login with its card: what commands and the studio show of one, with the settings and the mapping in force. */
import type { InvocationResult } from '../local/invocation.ts';
import { type Loaded, mappingOf } from '../local/mappingOf.ts';
import type { AnsweredLogin } from './account.ts';
import { type CardOptions, type CardRow, cardOf } from './card.ts';
import { rulesOf } from './coverage.ts';
import { type Explanation, explanationOf } from './explanation.ts';

export interface ExplainedLogin extends Explanation {
  card: CardRow[];
  /** As the mapping has each rule, by its path; empty for a handler of plain code. */
  ruleTexts: Readonly<Record<string, string>>;
}

export async function explainLogin(
  login: AnsweredLogin,
  loaded: Loaded,
  options: Pick<CardOptions, 'reads' | 'atMs'> = {},
): Promise<ExplainedLogin> {
  const explanation = explanationOf(login);
  const ruleTexts = explanation.rules.length > 0 ? await ruleTextsOf(login, loaded) : {};
  const card = cardOf(login, { ...options, ruleTexts, env: loaded.stage.env });
  return { ...explanation, card, ruleTexts };
}

/** By the answer: a changed mapping gives another one. */
const knownTexts = new WeakMap<InvocationResult, Promise<Record<string, string>>>();

function ruleTextsOf({ functionName, answered }: AnsweredLogin, loaded: Loaded) {
  const read = async () => {
    const mapping = await mappingOf({ functionName, handlerModule: answered.handler }, loaded);
    const rules = mapping === null ? [] : rulesOf(mapping);
    return Object.fromEntries(rules.map(({ path, text }) => [path, text]));
  };
  const known = knownTexts.get(answered) ?? read();
  knownTexts.set(answered, known);
  return known;
}
