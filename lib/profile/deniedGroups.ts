/** Whether somebody is in a group that may not log in. A value that may or may not name such a group is unclear. */

import { foldText, isFoldable } from '../text.ts';
import { decodedBytes, reversedName, unescapeName, valuesIn } from './distinguishedName.ts';
import { distinguishedNameOf, groupMatcher, textOf } from './groupMatcher.ts';
import type { Group } from './mappingSchema.ts';
import type { Place } from './reader.ts';

/** A text that may name a denied group. */
export interface DeniableText extends Place {
  /** Made once for all rules; null for a text that cannot be folded. */
  folded: Folded | null;
}

interface Folded {
  /** Without regard to case and Unicode form. */
  text: string;
  /** As `text`, without percent-encoding. */
  decoded: string;
  /** `decoded` in segments, with what follows a `#` and without it, and the values of a distinguished name. */
  paths: readonly string[];
}

/** The first value that names a denied group, and the first that may name one. */
export interface Denial {
  denied: DeniableText | undefined;
  unclear: DeniableText | undefined;
}

/** An escape of JSON or XML may hide a name. */
const ESCAPE = /\\u[0-9a-f]{4}|&#?\w+;/i;

/** What stands before a distinguished name in a URL (RFC 4516), or where software names the directory. */
const BEFORE_NAME = /^[^=]*[:/]/;

/** Other identifiers of an entry that Active Directory writes before its name: `<GUID=…>;<SID=…>;`. */
const IDENTIFIERS = /^(?:<[^<>]*>;)+/;

/** An entry of a directory, which may be one that is denied where its name cannot be read. */
const OF_A_DIRECTORY = /^(?:ldap[is]?:|gc:|<)/;

const PERCENT_ENCODED = /(?:%[0-9a-f]{2})+/gi;

export function deniable(place: Place): DeniableText {
  return { ...place, folded: folded(place.text) };
}

function folded(original: string): Folded | null {
  if (!isFoldable(original)) return null;
  const text = foldText(original);
  const decoded = decodedForm(text);
  if (decoded === null) return null;
  // An entitlement has its authority behind a hash.
  const forms = [decoded, decoded.replace(/#.*/, '')];
  // Stryker disable next-line ArrayDeclaration: it only takes time.
  const values = decoded.includes('=') ? forms.map((form) => valuesIn(form).join('/')) : [];
  if (!values.every(isFoldable)) return null;
  return { text, decoded, paths: [...forms, ...values.map(foldText)].map(pathOf) };
}

/** @param folded a folded text */
function decodedForm(folded: string): string | null {
  const plain = percentDecoded(folded);
  if (!isFoldable(plain)) return null;
  // Stryker disable next-line ConditionalExpression: to fold it again only takes time.
  return plain === folded ? plain : foldText(plain);
}

function percentDecoded(text: string): string {
  return text.replace(PERCENT_ENCODED, decodedBytes);
}

/** `/a/b/` for each of `/a/b`, `A\b` and `a:b` once folded. Keycloak writes `~/` for a slash inside a name. */
function pathOf(text: string): string {
  const segments = text.replaceAll('~/', '/').split(/ ?[/\\:] ?/);
  return `/${segments.filter((segment) => segment !== '').join('/')}/`;
}

/**
 * Compares without case, Unicode form and percent-encoding. A denied name equals a group, successive segments of its path or a
 * value of its distinguished name; a denied distinguished name is found in an LDAP URL too, and with its most general part first. Some services concatenate
 * the values of one SAML attribute without a separator: a text that contains a denied name, and is not itself a group that
 * the mapping names, may be such a text.
 *
 * @param named all groups that the mapping names
 */
export function deniedGroups(
  denied: readonly Group[],
  named: readonly Group[],
): (values: readonly DeniableText[]) => Denial {
  const paths = denied.filter((group) => typeof group === 'string').map((name) => pathOf(comparable(name)));
  const matching = groupMatcher(denied.flatMap(alsoByName), foldText);
  const isNamed = wholeGroups(named);
  const containsName = nameSearch(denied);

  const judge = ({ text, folded, form }: DeniableText): keyof Denial | null => {
    if (folded === null) return 'unclear';
    const name = nameInUrl(folded.text);
    const asItIs = matching(text, folded.text);
    const inUrl = matching(name, folded.decoded);
    const reversed = matching(reversedName(name), folded.decoded);
    const isNamedSo = (path: string) => folded.paths.some((own) => own.includes(path));
    if (paths.some(isNamedSo) || [asItIs, inUrl, reversed].some(({ matches }) => matches.length > 0))
      return 'denied';
    const { isUnclear } = OF_A_DIRECTORY.test(folded.text) ? inUrl : asItIs;
    if (isUnclear || form === 'alone') return 'unclear';
    if (form === 'value' || isNamed(text, folded.text)) return null;
    return ESCAPE.test(text) || containsName(text, folded.decoded) ? 'unclear' : null;
  };

  return (values) => {
    const judged = values.map(judge);
    return { denied: values[judged.indexOf('denied')], unclear: values[judged.indexOf('unclear')] };
  };
}

/** A distinguished name that is written as a text denies its other spellings too. What is none has no others. */
function alsoByName(group: Group): Group[] {
  return typeof group === 'string' ? [group, { dn: group }] : [group];
}

/** The distinguished name in a URL (RFC 4516 section 2), without host, attributes, scope and filter; other texts decoded. */
function nameInUrl(text: string): string {
  const name = text.replace(BEFORE_NAME, '').replace(IDENTIFIERS, '');
  return percentDecoded(name === text ? text : name.replace(/\?.*/, ''));
}

/** Recognises groups that are named one by one, not by what several have in common. */
function wholeGroups(groups: readonly Group[]): (text: string, folded: string) => boolean {
  const whole = groups.filter((group) => typeof group === 'string' || 'dn' in group);
  const matching = groupMatcher(whole, foldText);
  return (text, folded) => matching(text, folded).matches.length > 0;
}

function nameSearch(groups: readonly Group[]): (text: string, decoded: string) => boolean {
  const texts = groups
    .map(textOf)
    .filter((text) => text !== null)
    .map(comparable);
  const names = groups
    .map(distinguishedNameOf)
    .filter((name) => name !== null)
    .map(bareName);
  return (text, decoded) => {
    if (texts.some((name) => decoded.includes(name))) return true;
    // Stryker disable next-line ConditionalExpression,EqualityOperator,ArrayDeclaration: without names it only takes time.
    const bare = names.length > 0 ? [bareName(text), bareName(decoded)] : [];
    return names.some((name) => bare.some((form) => form.includes(name)));
  };
}

/** The form in which a name is searched for in `decoded`. */
function comparable(name: string): string {
  const folded = foldText(name);
  return decodedForm(folded) ?? folded;
}

/** The form in which a distinguished name is searched for inside a longer text: escapes resolved, without white space. */
function bareName(text: string): string {
  return foldText(unescapeName(text)).replace(/\s/g, '');
}
