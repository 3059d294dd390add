/** The rules of a mapping, as an operator writes them, and what they and the rest of a mapping are made of. */
import * as v from 'valibot';
import { atMost, isJsonObject, MAX_TEXT, oneKeyOf, someOf, strict, stringThat, text } from '../../schema.ts';
import { parseDistinguishedName } from './distinguishedName.ts';
import { asciiDomain } from './domains.ts';
import { email } from './emailAddress.ts';
import { DEFAULTS } from './profileFields.ts';

const TEXTS = 'expected a text, or an object of texts by language';

/** A tag, the most general part first: `de`, `de-CH`, `zh-Hant`. */
const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i;

/** A longer one could not leave, and each refusal would be an error. */
const words = v.pipe(text, atMost(MAX_TEXT));

const TextByLanguage = v.pipe(
  v.custom<Record<string, string>>(isJsonObject, TEXTS),
  v.record(
    stringThat((tag) => LANGUAGE_TAG.test(tag), 'expected a language tag, e.g. de or de-CH'),
    words,
  ),
  v.check((texts) => Object.keys(texts).length > 0, 'expected at least one language'),
);

/** What a refused person reads; `{reference}` becomes the request id. The first language is for those who prefer none of them. */
const Message = v.union([words, TextByLanguage], TEXTS);
export const message = v.optional(Message);

const Source = v.union(
  [text, strict({ use: v.picklist(['defaults', 'nameId'], 'expected DEFAULTS or NAME_ID') })],
  'expected the name of a claim or attribute, DEFAULTS or NAME_ID',
);
export const sources = someOf(Source);
export const from = v.optional(sources, [DEFAULTS]);

const distinguishedName = stringThat(
  (name) => parseDistinguishedName(name) !== null,
  'expected a distinguished name',
);

/** One group, or the groups that begin so, or the one of this distinguished name, or those below it. */
export const Group = v.union(
  [
    text,
    strict({ prefix: text }),
    strict({ dn: distinguishedName }),
    strict({ dn_suffix: distinguishedName }),
  ],
  'expected the name of a group, or an object with one of prefix, dn, dn_suffix',
);

/** What joins several values in one text. */
export const separator = stringThat(
  (text) => text.length === 1 || text.length === 2,
  'expected a text of one or two characters',
);

const DOMAIN = /^(?:\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;

/** `uni.example` is only that domain, `*.uni.example` those below it. */
const domain = stringThat(
  // Stryker disable next-line StringLiteral: neither is a domain.
  (name) => DOMAIN.test(asciiDomain(name) ?? ''),
  'expected a domain, or *. and a domain for its subdomains',
);

export type Group = v.InferOutput<typeof Group>;
export type Message = v.InferOutput<typeof Message>;

/** Values arrive without surrounding white space, so a text with some would equal none of them. */
function unpadded(trimmed: (value: string) => string, where: string) {
  return v.pipe(
    text,
    v.check((value) => trimmed(value) === value, `expected a text without white space ${where} it`),
  );
}

const whole = unpadded((value) => value.trim(), 'around');
const beginning = unpadded((value) => value.trimStart(), 'before');
const end = unpadded((value) => value.trimEnd(), 'after');

const TextValue = v.union(
  [whole, strict({ prefix: beginning }), strict({ suffix: end })],
  'expected a text, { prefix } or { suffix }',
);

/** JSON has no larger numbers: the next one may be read as the same. */
const WHOLE_NUMBER = `expected a whole number of at most ${Number.MAX_SAFE_INTEGER}`;

const JsonValue = v.union(
  [
    ...TextValue.options,
    v.pipe(v.number(WHOLE_NUMBER), v.safeInteger(WHOLE_NUMBER)),
    // Stryker disable next-line StringLiteral: the message of the whole choice is told.
    v.boolean('expected true or false'),
  ],
  'expected a text, a whole number, true, false, { prefix } or { suffix }',
);

function conditions<const TName extends 'claim' | 'attribute', const TValue extends v.GenericSchema>(
  name: TName,
  value: TValue,
) {
  const named = { [name]: text } as Record<TName, typeof text>;
  return oneKeyOf(
    {
      is: strict({ ...named, is: someOf(value), message }),
      is_not: strict({
        ...named,
        is_not: someOf(value),
        /** Whether a person without the value may log in. Left out, the login is an error. */
        absent: v.optional(v.literal('allow', "expected 'allow'")),
        message,
      }),
      present: strict({ ...named, present: v.literal(true, 'expected true'), message }),
    },
    ` beside ${name}`,
  );
}

/** Any of these values is enough; of a list in the list, all are needed. */
const alternatives = someOf(
  v.union([whole, someOf(whole)], 'expected a text, or a list of texts that are all needed'),
);

const DURATION = /^[1-9]\d{0,4}[smhd]$/;

/** What a mapping may demand of a sign-in: how, when and for which kind of account it was. */
const Assurance = v.pipe(
  strict({
    /** The authentication context class (OpenID Connect Core 2). OpenID only. */
    acr: v.optional(someOf(whole)),
    /** The authentication methods (OpenID Connect Core 2, RFC 8176). OpenID only. */
    amr: v.optional(alternatives),
    /** The authentication contexts of Entra, whose tokens of version 2 have no `amr`. OpenID only. */
    acrs: v.optional(alternatives),
    max_age: v.optional(
      stringThat((value) => DURATION.test(value), 'expected a whole number of s, m, h or d, e.g. 8h'),
    ),
    /** The provider's assurance of the account and the identity (eduPerson, REFEDS Assurance Framework). */
    eduPersonAssurance: v.optional(alternatives),
  }),
  v.check(
    (demands) => Object.values(demands).some((demand) => demand !== undefined),
    'expected at least one of acr, amr, acrs, max_age, eduPersonAssurance',
  ),
);

export type Assurance = v.InferOutput<typeof Assurance>;

/** Some of `groups.from`; left out, all of them count together. */
const someSources = v.optional(sources);

const RULES = {
  emails: strict({ emails: someOf(email), message }),
  email_domains: strict({ email_domains: someOf(domain), message }),
  scopes: strict({
    scopes: someOf(domain),
    affiliations: v.optional(
      someOf(v.pipe(text, v.excludes('@', 'expected an affiliation without its scope'))),
    ),
    from,
    separator: v.optional(separator),
    message,
  }),
  any_group: strict({ any_group: someOf(Group), from: someSources, message }),
  no_group: strict({ no_group: someOf(Group), from: someSources, message }),
  claim: conditions('claim', JsonValue),
  attribute: conditions('attribute', TextValue),
  assurance: strict({ assurance: Assurance, message }),
};

export const Rule = oneKeyOf(RULES);

/** The key that says what a rule is about. */
export type RuleKey = keyof typeof RULES;

export type Rule = v.InferOutput<typeof Rule>;

type Written = v.InferInput<typeof Rule>;
type KeyOf<TUnion> = TUnion extends unknown ? keyof TUnion : never;

/** Each of these rules without the keys of the others: the compiler would take two rules in one object otherwise. */
type Exclusive<TRule, TKey extends PropertyKey = KeyOf<Written>> = TRule extends unknown
  ? TRule & { [TOther in Exclude<TKey, keyof TRule>]?: never }
  : never;

export type AnyRule = Exclusive<Written>;
export type OpenIdRule = Exclusive<Exclude<Written, { attribute: unknown }>>;
export type SamlRule = Exclusive<Exclude<Written, { claim: unknown }>>;
