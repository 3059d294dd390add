/** A login with its card: what commands and the studio show of one, with the settings and the mapping in force. */
import { type HandlerOf, type Loaded, mappingOf } from '../local/mappingOf.ts';
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

/** Of the newest build, by handler: a mapping is loaded in a thread of its own. */
const known = { root: '', texts: new Map<string, Promise<Record<string, string>>>() };

function ruleTextsOf({ functionName, answered: { handler } }: AnsweredLogin, loaded: Loaded) {
  if (known.root !== loaded.root) known.texts.clear();
  known.root = loaded.root;
  const key = `${functionName} ${handler}`;
  const texts = known.texts.get(key) ?? readRuleTexts({ functionName, handlerModule: handler }, loaded);
  known.texts.set(key, texts);
  return texts;
}

async function readRuleTexts(handler: HandlerOf, loaded: Loaded): Promise<Record<string, string>> {
  const mapping = await mappingOf(handler, loaded);
  const rules = mapping === null ? [] : rulesOf(mapping);
  return Object.fromEntries(rules.map(({ path, text }) => [path, text]));
}
