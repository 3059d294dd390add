/** The rule on scoped affiliations, such as `member@uni.example` (eduPerson 2.2.1.9). */
import { asciiLowerCase, isVisible, MAX_NAME_LENGTH } from '../../text.ts';
import { nearMisses, nearNote } from '../fields/nearMiss.ts';
import { type DefaultNames, type Name, usedTexts } from '../fields/reader.ts';
import { joinedNote, valuesJoinedBy } from '../groups/joinedTexts.ts';
import { sourceNames } from '../groups/readGroups.ts';
import { domainMatcher } from '../schema/domains.ts';
import { isGuest } from '../schema/emailAddress.ts';
import type { Rule } from '../schema/ruleSchema.ts';
import { absentNote, FIX } from './claimRule.ts';
import { ALLOWS, type Evaluate, noted } from './ruleResult.ts';

type ScopesRule = Extract<Rule, { scopes: unknown }>;

/** Values after so many are not read: real people have some ten. */
const MAX_AFFILIATIONS = 100;

export function affiliationNames(from: ScopesRule['from'], defaults: DefaultNames): Name[] {
  return from.flatMap((source) => sourceNames(source, defaults, 'scoped_affiliation'));
}

const FOREIGN_IDENTIFIER =
  'The scope of the identifier that leaves (external_id) is not listed: add it to the rule, if it belongs to this issuer.';

/** Allows some value whose scope, and affiliation where the rule names some, are listed, with an identifier of such a scope. */
export function scopesRule(
  { scopes, affiliations, from, separator }: ScopesRule,
  defaults: DefaultNames,
): Evaluate {
  const names = affiliationNames(from, defaults);
  const wanted = affiliations && new Set(affiliations.map(asciiLowerCase));
  const isListed = domainMatcher(scopes);
  const read = scopedAffiliationReader(scopes);
  const isAffiliation = (text: string) => isVisible(text) && !isGuest(text);
  const isWanted = (value: string) =>
    read(value).some(
      ({ affiliation, scope }) =>
        isAffiliation(affiliation) && isListed(scope) && (wanted?.has(affiliation) ?? true),
    );
  return ({ reader, identifierScope }) => {
    const occurrences = reader.occurrences(names).filter(({ by }) => by !== 'FriendlyName');
    if (occurrences.length === 0) {
      const sought = names.map(({ name }) => name);
      return { verdict: 'refuses', note: () => absentNote(sought, names, reader, FIX) };
    }
    const short = usedTexts(occurrences).filter(({ length }) => length <= MAX_NAME_LENGTH);
    // Stryker disable next-line MethodExpression: it only bounds the time of the next steps.
    const texts = short.slice(0, MAX_AFFILIATIONS);
    const isOnly = texts.length === 1 && occurrences.every(({ shape }) => shape !== 'item');
    // Stryker disable next-line ConditionalExpression: nothing is split at nothing.
    const joints = separator !== undefined && isOnly ? [';', separator] : [';'];
    // No affiliation and no scope holds a semicolon.
    const values = joints.reduce((all, joint) => all.flatMap((text) => valuesJoinedBy(joint, text)), texts);
    if (values.slice(0, MAX_AFFILIATIONS).some(isWanted)) {
      const isOwn = identifierScope === null || isListed(identifierScope);
      return isOwn ? ALLOWS : noted('refuses', FOREIGN_IDENTIFIER);
    }
    const value = occurrences.find(({ text }) => text.trim() !== '')?.path;
    const note = () => {
      const texts = values.map((text) => ({ text, isOnly }));
      const joined = joinedNote(texts, isWanted, 'separator of the rule');
      if (joined !== undefined) return joined;
      const arrivedScopes = values.map((text) => text.replace(/.*@/s, '')).filter((one) => !isListed(one));
      const arrivedAffiliations = values.map((text) => text.replace(/@.*/s, ''));
      const near = [
        ...nearMisses(scopes, arrivedScopes),
        // Stryker disable next-line ArrayDeclaration: nothing that arrives is like a text that is not there.
        ...nearMisses(affiliations ?? [], arrivedAffiliations),
      ];
      // Both compare without case.
      return nearNote(near.filter(({ miss }) => miss !== 'case'));
    };
    return { verdict: 'refuses', value, note };
  };
}

/** The vocabulary of eduPerson 2.2.1. None of these ends like another, so that concatenated values have one cut. */
export const AFFILIATIONS = 'faculty student staff alum member affiliate employee library-walk-in'.split(' ');
const ANY = AFFILIATIONS.join('|');

/** One of several values in a text: its scope ends where the next affiliation begins. */
const CONCATENATED = new RegExp(`(?<affiliation>${ANY})@(?<scope>[^@]+?)(?=(?:${ANY})@|$)`, 'gy');

interface ScopedAffiliation {
  affiliation: string;
  scope: string;
}

/**
 * Makes a function that reads a value in lower case. Some services concatenate several values:
 * `member@u.examplestaff@u.example` is split only where all of it is eduPerson's vocabulary and listed scopes.
 *
 * @param scopes those that are listed; one that begins with `*.` stands for no scope that could be cut off
 * @returns none for anything else
 */
export function scopedAffiliationReader(scopes: readonly string[]): (value: string) => ScopedAffiliation[] {
  const known = new Set(scopes.filter((scope) => !scope.startsWith('*.')).map(asciiLowerCase));

  return (value) => {
    if (value.length > MAX_NAME_LENGTH) return [];
    const text = asciiLowerCase(value);
    const [affiliation, scope, ...others] = text.split('@') as [string, string?, ...string[]];
    if (scope === undefined) return [];
    if (others.length === 0) return [{ affiliation, scope }];
    const found = Array.from(
      text.matchAll(CONCATENATED),
      ({ groups }) => groups as unknown as ScopedAffiliation,
    );
    const read = found.map((one) => `${one.affiliation}@${one.scope}`).join('');
    return read === text && found.every((one) => known.has(one.scope)) ? found : [];
  };
}
