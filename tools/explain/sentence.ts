/** One sentence on a login: who got in or not, and why. */
import type { Answered } from '../local/answered.ts';
import { withoutReference } from '../shared/ownWords.ts';
import type { Account } from './account.ts';

/** Of more groups the number is told. */
const MAX_SHOWN = 3;

/** E.g. `Authorized as Ada Lovelace, because email is from mail; staff → groups.table[2]`. */
export function sentenceOf(answered: Answered, account: Account): string {
  const { failed, response, reason, thrown } = answered;
  if (failed !== null || response === null) return `Failed: ${thrown?.text || (failed ?? reason)}`;
  if (response.type === 'AuthorizedUserResponse')
    return [`Authorized as ${personIn(response)}`, ...whyAuthorized(account)].join(', because ');
  const word = response.type === 'ForbiddenResponse' ? 'Forbidden' : 'Error';
  return `${word}, because ${whyRefused(answered, account)}`;
}

function personIn(response: Readonly<Record<string, unknown>>): string {
  const text = (...names: string[]) => names.map((name) => response[name]).find(isText);
  const name = [text('first_name', 'firstName'), text('last_name', 'lastName')].filter(isText).join(' ');
  return name || (text('email') ?? 'somebody without a name');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** At most one text. */
function whyAuthorized({ fields, groups }: Account): string[] {
  const email = fields.find(({ field, from }) => field === 'email' && from !== null);
  const mapped = (groups?.values ?? []).filter(({ rows }) => rows.length > 0);
  const parts = [
    ...(email ? [`email is from ${shortName(email.from ?? '')}`] : []),
    ...mapped
      .slice(0, MAX_SHOWN)
      .map(({ value, path, rows }) => `${value ?? path} → ${rows.map(shortPath).join(', ')}`),
    ...(mapped.length > MAX_SHOWN ? [`${mapped.length - MAX_SHOWN} more groups`] : []),
  ];
  return parts.length > 0 ? [parts.join('; ')] : [];
}

function whyRefused(
  { reason, records, handler, response }: Answered,
  { rules, fields, groups }: Account,
): string {
  const { problems, issuer } = records.findLast(({ event }) => event === 'login') ?? {};
  const decisive = rules.find(({ isDecisive }) => isDecisive);
  const missing = fields.filter(({ from }) => from === null).map(({ field }) => field);
  if (reason === 'issuer_not_listed') return `the mapping does not list the issuer ${issuer}`;
  if (decisive) {
    const { path, verdict, found, note } = decisive;
    const cause = verdict === 'unknown' && note === '' ? WORDS[reason] : undefined;
    const about = note || (verdict === 'unknown' ? groups?.note : found);
    return [`${shortPath(path)} ${VERDICTS[verdict]}`, cause, about].filter(Boolean).join(': ');
  }
  if (reason === 'profile_incomplete') return `no source has ${missing.join(' or ')}`;
  if (reason === 'forbidden' || reason === 'error') return saysHandler(handler, response);
  const isDenied = fields.some(({ note }) => note === 'unverified');
  if (reason === 'email_unverified' && isDenied) return DENIED;
  const details = Array.isArray(problems) ? problems.slice(0, MAX_SHOWN) : [];
  return details.length > 0 ? `${reason}: ${details.join('; ')}` : (WORDS[reason] ?? reason);
}

function saysHandler(handler: string, response: Answered['response']): string {
  const message = withoutReference(String(response?.message ?? ''));
  return message === '' ? `${handler} decides so` : `${handler} says: ${message}`;
}

const DENIED = 'the provider says that the email address is not verified';

const VERDICTS = {
  allows: 'allows it',
  refuses: 'refuses',
  unknown: 'cannot judge',
  unclear: 'cannot judge: the provider sends the groups in an unclear form',
};

const WORDS: Readonly<Record<string, string>> = {
  email_unverified: 'the provider does not say that the email address is verified',
  groups_unknown: 'the provider does not say which groups',
  groups_ambiguous: 'the provider sends the groups in an unclear form',
  assurance_unknown: 'the provider does not say how or when the person signed in',
};

/** The last part of an address, which is what differs. */
export function shortName(name: string): string {
  return name.replace(/https?:\/\/\S*\/(?=[^/\s])/, '…/');
}

/** A path in the mapping, without the issuer: it is told elsewhere. */
export function shortPath(path = ''): string {
  return path.replace(/^issuers\..*\.(?=rules\[|groups\.)/, 'issuers[…].');
}
