/** Who may log in, and with which groups: the first rule that does not allow a login refuses it. */

import type { Sentence } from '../../messages/languages.ts';
import type { RefusalReason } from '../../reasons.ts';
import { addressReader, type LeavingAddress } from '../fields/addressReader.ts';
import type { Miss, Note } from '../fields/nearMiss.ts';
import type { Reader } from '../fields/reader.ts';
import {
  type GroupsTrace,
  groupsTrace,
  groupTable,
  joinedGroups,
  sourceNotes,
} from '../groups/groupTable.ts';
import { groupReader } from '../groups/readGroups.ts';
import { type ParsedGroups, parseMapping } from '../schema/mappingSchema.ts';
import type { PlacedGroups, PlacedRule } from '../schema/ofIssuer.ts';
import type { Source } from '../schema/profileFields.ts';
import type { Message } from '../schema/ruleSchema.ts';
import type { RuleContext, RuleResult, RuleTrace } from './ruleResult.ts';
import { type CompiledRule, compiledRule, namedGroups, wantedGroups } from './rules.ts';

/** What leaves of a person, as far as rules judge it. */
interface Leaving {
  /** Null where the person has no address. */
  address: LeavingAddress | null;
  identifierScope: string | null;
}

/** Decides about a person whose profile is complete. The trace may hold what is for level DEBUG. */
export type EvaluateAccess = (reader: Reader, leaving: Leaving, isDetailed: boolean) => AccessDecision;

/** Why a person may not log in. */
export interface Refusal {
  reason: RefusalReason;
  /** The operator's words, of the rule that refused. */
  message?: Message | undefined;
  /** Ours; left out where the reason has its own. */
  sentence?: Sentence;
}

export interface AccessDecision {
  user_group_uuids: string[];
  /** Whether groups were looked for and the provider names none. */
  areGroupsMissing: boolean;
  /** Left out where the person may log in. */
  refusal?: Refusal | undefined;
  /** Made on demand. */
  trace(): AccessTrace;
}

export interface AccessTrace {
  groups?: GroupsTrace;
  /** The rule that refused, as a path into the mapping. */
  rule?: string;
  /** Of rules that are not about groups, and of the list of issuers: what kept one from allowing the login, or is missed by little, and what the operator can do about it. */
  note?: string;
  /** By which differences something that the mapping wants was missed. */
  near?: readonly Miss[];
  /** At level DEBUG, what each rule says of this login, also after one that refused. None where the profile is incomplete. */
  rules?: RuleTrace[];
}

interface AccessPlace extends Pick<RuleContext, 'defaults' | 'clockSkewSeconds'> {
  emailSources: readonly Source[];
}

export function compiledAccess(
  groups: PlacedGroups | null,
  placedRules: readonly PlacedRule[],
  { emailSources, defaults, clockSkewSeconds }: AccessPlace,
): EvaluateAccess {
  const sources = groups ?? unsaidGroups();
  const named = namedGroups(sources, placedRules);
  const asksForGroups = groups !== null || named.length > 0;
  const readGroups = groupReader(sources, defaults);
  const matchRows = groupTable(sources.table);
  const uuids = sources.table.map(({ uuid }) => uuid);
  const noteJoined = joinedGroups(namedGroups(sources, placedRules, wantedGroups));
  const rules = placedRules.map((placed) =>
    compiledRule(placed, { named, sources, defaults, clockSkewSeconds }),
  );
  const withAddress = addressReader(emailSources, defaults);

  return (login, { address, identifierScope }, isDetailed) => {
    const reader = withAddress(login, address);
    const groups = readGroups(reader);
    const matched = matchRows(groups);
    const given = [...matched.values()].flat().map((row) => uuids[row] as string);
    const input = { reader, email: address?.value ?? null, identifierScope, groups };
    const judged = rules.map((rule) => ({ ...rule, ...rule.evaluate(input) }));
    const mustBeKnown = !groups.known && sources.unknown !== 'none';
    const refusing = mustBeKnown ? undefined : judged.find(({ verdict }) => verdict !== 'allows');
    const haveArrived = groups.known && groups.sources.some(({ hasArrived }) => hasArrived);
    return {
      user_group_uuids: [...new Set([...sources.everybody, ...given])],
      areGroupsMissing: asksForGroups && !haveArrived,
      refusal: mustBeKnown ? { reason: 'groups_unknown' } : refusing && refusalOf(refusing),
      trace() {
        const own = refusing?.note?.() ?? {};
        const others = judged
          .filter(({ verdict }) => verdict === 'allows')
          .map(({ isAboutGroups, note }) => ({ isAboutGroups, ...note?.() }));
        const ofNames = noteJoined(groups);
        // Beside what a rule says that refused, another note would seem to be its cure.
        const ofGroups = refusing?.isAboutGroups
          ? [own]
          : [
              ...sourceNotes(groups, reader, sources.from),
              ofNames,
              ...others.filter(({ isAboutGroups }) => isAboutGroups),
            ];
        const ofRest =
          refusing?.isAboutGroups === false ? [own] : others.filter(({ isAboutGroups }) => !isAboutGroups);
        const near = new Set([own, ofNames, ...others].flatMap((one) => one.near ?? []));
        return {
          ...(asksForGroups && {
            groups: {
              ...groupsTrace(reader, groups, matched, isDetailed ? sources : null),
              ...together(ofGroups),
            },
          }),
          ...(refusing && { rule: refusing.path }),
          ...together(ofRest),
          ...(near.size > 0 && { near: [...near].sort() }),
          ...(isDetailed && { rules: judged.map(({ path, verdict, value }) => ({ path, verdict, value })) }),
        };
      },
    };
  };
}

/** Of a mapping whose rules look at groups and that maps none. None of these rules denies: that needs named sources. */
function unsaidGroups(): PlacedGroups {
  const { groups } = parseMapping({ groups: { unknown: 'none' } });
  return { ...(groups as ParsedGroups), path: 'groups' };
}

/** What several notes say, each once. */
function together(notes: readonly Note[]): Pick<Note, 'note'> {
  const told = new Set(notes.flatMap(({ note }) => note ?? []));
  return told.size > 0 ? { note: [...told].join(' ') } : {};
}

function refusalOf({ verdict, unknown, message, words }: CompiledRule & RuleResult): Refusal {
  if (verdict === 'unknown') return { reason: unknown };
  if (verdict === 'unclear') return { reason: 'groups_ambiguous' };
  return { reason: 'rule_refused', message, sentence: (language) => language[words] };
}
