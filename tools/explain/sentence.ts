/** What decided a login, in one sentence: for a row of a list, and above its card. */
import { showable } from '../../lib/text.ts';
import { type InvocationResult, isAuthorized, isByCode, outcomeOf } from '../local/invocation.ts';
import { capitalised, counted } from '../shared/readable.ts';
import { messageIn } from './card.ts';
import { type ExplainedField, type ExplainedLogin, type ExplainedRule, shortPath } from './explanation.ts';
import { firstOf } from './fixes.ts';
import { isText } from './places.ts';
import { addressFact, reasonRow } from './reasons.ts';

/** In characters: it stands in a row of a list. */
const MAX_SENTENCE = 90;
/** Of one value in it: the words around it must be seen too. */
const MAX_VALUE = 34;
/** Of more groups the number is told. */
const MAX_SHOWN = 3;

/** Who got in or not, and the fact that decided: `Forbidden: in group /locked, which rules[0] denies`. */
export function sentenceOf(explanation: ExplainedLogin): string {
  const { answered } = explanation;
  const { response } = answered;
  if (response === null || !isAuthorized(answered))
    return cut(`${capitalised(outcomeOf(answered))}: ${whyRefused(explanation)}`);
  const text = (...names: string[]) => names.map((name) => response[name]).find(isText);
  const name = [text('first_name', 'firstName'), text('last_name', 'lastName')].filter(isText).join(' ');
  const person = [name, text('email')].filter(isText).map((one) => cut(one, MAX_VALUE));
  const facts = [person.join(', ') || 'somebody without a name', ...groupsIn(response, explanation)];
  return cut(`Authorized as ${facts.join(', ')}`);
}

/** The same without a value of the event, e.g. `Forbidden: a rule of the mapping refuses`. */
export function plainSentenceOf(answered: InvocationResult): string {
  const outcome = capitalised(outcomeOf(answered));
  return isAuthorized(answered) ? outcome : `${outcome}: ${reasonRow(answered.reason)[0]}`;
}

function cut(text: string, length = MAX_SENTENCE): string {
  const shown = showable(text);
  return shown.length > length ? `${shown.slice(0, length - 1).trimEnd()}…` : shown;
}

/** At most one text; none where no groups were read and none are given. */
function groupsIn(response: Readonly<Record<string, unknown>>, { groups }: ExplainedLogin): string[] {
  const given = response.user_group_uuids ?? response.userGroupUuids;
  const count = Array.isArray(given) ? given.length : 0;
  if (count === 0) return groups === null ? [] : ['no group'];
  const mapped = (groups?.values ?? []).filter(({ rows }) => rows.length > 0);
  return [`${counted(count, 'group')}${listed(mapped.map(({ value }) => value))}`];
}

/** ` (a, b, c, 2 more)`; empty for no texts. */
function listed(values: readonly (string | null)[]): string {
  const shown = firstOf([...new Set(values.filter(isText))], MAX_SHOWN);
  return shown.length > 0 ? ` (${shown.join(', ')})` : '';
}

function whyRefused({ answered, record, decisive, missing, groups }: ExplainedLogin): string {
  const { failed, thrown, reason, handler } = answered;
  const [sentence] = reasonRow(reason);
  if (failed !== null) return thrown?.text || failed.replace(reason, sentence);
  const message = messageIn(answered);
  if (isByCode(answered)) return message === '' ? sentence : `${handler} says: ${message}`;
  if (reason === 'issuer_not_listed') return `${sentence} ${record.issuer}`;
  if (decisive) return whyRule(decisive, sentence, groups);
  if (reason === 'profile_incomplete' && missing.length > 0) return whyIncomplete(missing);
  const details = [record.problems, record.host, record.secretId].flat().filter(isText);
  return [sentence, details.slice(0, MAX_SHOWN).join('; ')].filter(Boolean).join(': ');
}

function whyIncomplete(missing: readonly ExplainedField[]): string {
  const absent = missing.filter(({ note }) => note === '').map(({ field }) => field);
  const refused = missing.filter(({ note }) => note !== '');
  return [
    ...(absent.length > 0 ? [`no source has ${absent.join(' or ')}`] : []),
    ...refused.map(({ field, note }) => addressFact(note) ?? `${field} cannot be used`),
  ].join(', and ');
}

function whyRule(decisive: ExplainedRule, sentence: string, groups: ExplainedLogin['groups']): string {
  const { path, key, verdict, value, name } = decisive;
  const rule = shortPath(path).replace(/\.\w+$/, '');
  const shown = value && cut(value, MAX_VALUE);
  if (verdict !== 'refuses') return `${sentence}${listed([shown])}, which ${rule} needs`;
  if (key === 'no_group') return `in group ${shown}, which ${rule} denies`;
  if (key === 'any_group')
    return `in none of the groups that ${rule} allows${listed(groups?.values.map((one) => one.value) ?? [])}`;
  return shown === null ? `nothing that ${rule} wants arrived` : `${rule} does not allow ${name} ${shown}`;
}
