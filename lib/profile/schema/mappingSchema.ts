/**
 * The profile mapping: an operator writes where the profile comes from, which groups of the provider become which user
 * groups, and who may log in. Mistakes are found when the mapping is made, each with its path.
 */
import * as v from 'valibot';
import type { RefusalReason } from '../../reasons.ts';
import {
  boolean,
  isJsonObject,
  oneOf,
  problemsOf,
  someOf,
  strict,
  stringThat,
  text,
  uuid,
} from '../../schema.ts';
import { isSecretId } from '../../settings.ts';
import { shortened } from '../../text.ts';
import { eachField, FIELDS } from '../schema/profileFields.ts';
import { email } from './emailAddress.ts';
import {
  type AnyRule,
  from,
  Group,
  type Message,
  message,
  type OpenIdRule,
  Rule,
  type SamlRule,
  separator,
  sources,
} from './ruleSchema.ts';

/** By the reason of the refusal. */
const messages = {
  profile_incomplete: message,
  email_unverified: message,
  groups_unknown: message,
  groups_ambiguous: message,
  assurance_unknown: message,
  external_id_refused: message,
  claim_unknown: message,
  rule_refused: message,
} satisfies Record<Exclude<RefusalReason, 'issuer_not_listed'>, typeof message>;

function fieldOf<TInput, TOutput>(
  schema: v.GenericSchema<TInput, TOutput>,
  keys: string,
): v.GenericSchema<v.InferInput<typeof sources> | TInput, TOutput> {
  return v.union(
    [
      v.pipe(
        sources,
        v.transform((from) => v.parse(schema, { from })),
      ),
      schema,
    ],
    `expected a list of names, or an object with ${keys}`,
  );
}

/** `fallback` is the value where no source has any. */
const Field = fieldOf(strict({ from, fallback: v.optional(v.nullable(text), null) }), 'from and fallback');

/** Which addresses are used: those not said to be unverified, all, or those said to be verified. */
const unverified = oneOf(['refuse', 'accept', 'demand_proof']);

export type Unverified = v.InferOutput<typeof unverified>;

/** What an issuer's does not say of unverified addresses, the rest of the mapping says. */
const Email = fieldOf(
  strict({
    from,
    fallback: v.optional(v.nullable(email), null),
    unverified: v.optional(unverified),
  }),
  'from, fallback and unverified',
);

/** Without a fallback, which many people would share. What an issuer's says is added to what the rest of the mapping says. */
const Identifier = fieldOf(
  strict({
    from: v.optional(sources),
    /** Whether the issuer stands in front of the identifier, also of one that a setting names. */
    issuer: v.optional(boolean),
  }),
  'from and issuer',
);

/** Of a user group, where it is shown beside its UUID. */
const name = v.optional(
  stringThat(
    (value) => value.trim() !== '' && shortened(value) === value,
    'expected a text of 200 characters at most, without control characters',
  ),
);

/** Who is asked for the groups where the provider leaves them out. OpenID only. */
const Overage = strict({
  ask: v.literal('graph', "expected 'graph'"),
  /** The secret that holds `client_id` and `client_secret`, as JSON. */
  secret: stringThat(isSecretId, 'expected the name or the ARN of a secret'),
  /** Whether only security groups count, as `groupMembershipClaims: "SecurityGroup"` of the application has it. */
  security_enabled_only: boolean,
});

const Groups = v.pipe(
  strict({
    /** The claims or attributes that hold groups; all of them count. */
    from,
    /** Those that the provider leaves out for people without groups. Others are evidence that `no_group` needs. */
    absent: v.optional(v.array(text, 'expected a list'), []),
    /** Whether the provider must send each of them: where it does not, the groups are then unknown, and not "no groups". */
    required: v.optional(boolean, false),
    /** The outcome of a login whose groups are unknown: an error, or a person without groups. */
    unknown: v.optional(oneOf(['error', 'none']), 'error'),
    /**
     * How a text is read that is the only value of its source: what joins several groups in it, or `none` where it is one group.
     * Where that is not said, it may hide a forbidden group.
     */
    separator: v.optional(
      stringThat(
        (text) => text === 'none' || v.is(separator, text),
        "expected a text of one or two characters, or 'none'",
      ),
    ),
    everybody: v.optional(v.array(uuid, 'expected a list'), []),
    overage: v.optional(Overage),
    table: v.optional(v.array(strict({ group: Group, uuid, name }), 'expected a list'), []),
  }),
  v.forward(
    v.check(
      ({ absent, required }) => absent.length === 0 || !required,
      'expected no absent together with required: true, which needs every source',
    ),
    ['absent'],
  ),
  v.forward(
    v.check(
      ({ absent, from }) => absent.every((name) => from.includes(name)),
      'expected names that are also in from',
    ),
    ['absent'],
  ),
);

const FORMS = { address: Email, name: Field, link: Field, identifier: Identifier };

type FieldEntries = {
  [TField in keyof typeof FIELDS]: v.OptionalSchema<(typeof FORMS)[(typeof FIELDS)[TField]], undefined>;
};

const parts = {
  ...(eachField((field) => v.optional(FORMS[FIELDS[field]])) as FieldEntries),
  /** Of which the two names of a person are made, where they are absent. */
  full_name: v.optional(
    v.pipe(
      sources,
      v.transform((from) => ({ from, fallback: null })),
    ),
  ),
  groups: v.optional(Groups),
  rules: v.optional(someOf(Rule)),
};

const Issuer = strict({
  ...parts,
  messages: v.optional(strict(messages)),
  /** Whether an attribute `emailVerified` of this issuer's assertions proves their addresses. SAML only. */
  trust_email_verified: v.optional(boolean, false),
  /** Whether claims that the ID token lacks come from this issuer's UserInfo. OpenID only. */
  userinfo: v.optional(boolean, false),
});

const Issuers = v.pipe(
  v.custom<Record<string, v.InferInput<typeof Issuer>>>(
    isJsonObject,
    "expected an object of issuers, or 'any'",
  ),
  v.record(text, Issuer),
  v.check((issuers) => Object.keys(issuers).length > 0, 'expected at least one issuer'),
);

/** The same as none, said aloud. */
const anyIssuer = v.pipe(
  v.literal('any'),
  v.transform(() => undefined),
);

export const Mapping = strict({
  ...parts,
  messages: v.optional(strict({ ...messages, issuer_not_listed: message })),
  /** Once any issuer is listed, logins of all others are refused. What an issuer's mapping leaves out comes from the rest. */
  issuers: v.optional(v.lazy((given) => (given === 'any' ? anyIssuer : Issuers))),
});

type Written = v.InferInput<typeof Mapping>;
type WrittenIssuer = v.InferInput<typeof Issuer>;

type WithRules<TPart extends object, TRule> = Omit<TPart, 'rules'> & { rules?: TRule[] | undefined };

type OfIssuers<TPart, TIssuer> = TPart & { issuers?: 'any' | Record<string, TIssuer> | undefined };

/** A mapping with these rules; it may ask other systems. */
type Asking<TRule> = OfIssuers<WithRules<Omit<Written, 'issuers'>, TRule>, WithRules<WrittenIssuer, TRule>>;

type AtOnce<TPart extends Pick<Written, 'groups'>> = Omit<TPart, 'groups' | 'userinfo'> & {
  groups?: (Omit<NonNullable<TPart['groups']>, 'overage'> & { overage?: never }) | undefined;
  userinfo?: never;
};

/** A mapping with these rules that asks no other system: its handler responds at once. */
type Asked<TRule> = OfIssuers<
  AtOnce<WithRules<Omit<Written, 'issuers'>, TRule>>,
  AtOnce<WithRules<WrittenIssuer, TRule>>
>;

/** A mapping of either kind of logins, with any rule. */
export type Mapping = Asked<AnyRule>;
export type AskingMapping = Asking<AnyRule>;

export type OpenIdMapping = Asking<OpenIdRule>;
export type OpenIdMappingAtOnce = Asked<OpenIdRule>;
export type SamlMapping = Asked<SamlRule>;

export type { Group, Message, Rule };
export type Messages = { [TReason in RefusalReason]?: Message | undefined };
export type ParsedMapping = v.InferOutput<typeof Mapping>;
/** The part of a mapping that may stand for all issuers and for each one. */
export type ParsedPart = Omit<ParsedMapping, 'issuers'>;
export type ParsedIssuer = v.InferOutput<typeof Issuer>;
export type ParsedGroups = v.InferOutput<typeof Groups>;

/** Thrown for a mapping with mistakes; the message has the path of each. */
export class MappingInvalid extends Error {
  // The bundle shortens the name of the class.
  override readonly name = 'MappingInvalid';
  readonly code = 'mapping_invalid';
}

export function invalid(path: string, expected: string): MappingInvalid {
  return new MappingInvalid(`${path}: ${expected}`);
}

/** @throws {MappingInvalid} */
export function parseMapping(mapping: AskingMapping): ParsedMapping {
  const result = v.safeParse(Mapping, mapping);
  if (result.success) return result.output;
  const problems = problemsOf(deepest(result.issues).map(withFound));
  throw new MappingInvalid([...new Set(problems)].join('; '));
}

/** Tells the value that the operator wrote, but not one that stands where the name of a secret is expected. */
function withFound<TIssue extends v.BaseIssue<unknown>>(issue: TIssue): TIssue {
  const { input, expected, path } = issue;
  const isOddKey = expected === 'never';
  // Stryker disable next-line OptionalChaining: a path has a key.
  if (input === undefined || isOddKey || path?.at(-1)?.key === 'secret') return issue;
  // A check of an object sees what the schema added to it: what stands at the path was written.
  const { value } = path?.at(-1) ?? { value: input };
  return { ...issue, message: `${issue.message}, found ${shown(value)}` };
}

/** A value of the mapping in a message. Of an object its keys are told, which is where a mistake in it is. */
function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shortened(value));
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (isJsonObject(value)) {
    const keys = Object.keys(value).join(', ');
    return keys === '' ? 'an empty object' : `the keys ${shortened(keys)}`;
  }
  return value === null || ['number', 'boolean'].includes(typeof value) ? String(value) : `a ${typeof value}`;
}

/**
 * Where a choice may be written in several ways: the problems inside the way that was chosen. Where no way was chosen,
 * because a key is misspelled or missing, the message of the choice as a whole says more.
 */
function deepest(issues: readonly v.BaseIssue<unknown>[]): v.BaseIssue<unknown>[] {
  return issues.flatMap((issue) => {
    const inside = deepest(issue.issues ?? []).filter(
      ({ path = [], type }) => path.length > 0 && type !== 'strict_object',
    );
    if (inside.length === 0) return [issue];
    return inside.map((inner) => ({
      ...inner,
      path: [...(issue.path ?? []), ...(inner.path ?? [])] as never,
    }));
  });
}
