/**
 * The profile mapping: what an operator writes to say where the profile comes from, which groups follow from
 * which, and who may log in. Mistakes are found when the mapping is made, with the path of the mistake.
 */
import * as v from 'valibot';
import { isJsonObject, problemsOf } from '../schema.ts';
import { parseDistinguishedName } from './distinguishedName.ts';
import { DEFAULTS } from './reader.ts';
import { isEmail, uuid } from './response.ts';

const MISSING = 'expected a value (missing)';

const text = v.pipe(
  v.string('expected a text'),
  v.check((value) => value.trim() !== '', 'expected a text, found an empty one'),
);
const message = v.optional(text);

/** Strict, here and below: a key that is misspelled must not be a rule that is silently missing. */
function strict<const TEntries extends v.ObjectEntries>(entries: TEntries) {
  const known = `expected only ${Object.keys(entries).join(', ')}`;
  return v.pipe(
    v.custom<v.InferInput<v.StrictObjectSchema<TEntries, undefined>>>(isJsonObject, 'expected an object'),
    v.strictObject(entries, ({ expected }) => (expected === 'never' ? known : MISSING)),
  );
}

function someOf<const TItem extends v.GenericSchema>(item: TItem) {
  return v.pipe(v.array(item, 'expected a list'), v.minLength(1, 'expected at least one entry'));
}

const Source = v.union(
  [text, strict({ use: v.picklist(['defaults', 'nameId'], 'expected DEFAULTS or NAME_ID') })],
  'expected the name of a claim or attribute, DEFAULTS or NAME_ID',
);
const sources = someOf(Source);

/** A list of sources, or such a list and what to take where none has anything. */
const Field = v.union(
  [
    v.pipe(
      sources,
      v.transform((from) => ({ from, fallback: null })),
    ),
    strict({ from: v.optional(sources, [DEFAULTS]), fallback: v.optional(v.nullable(text), null) }),
  ],
  'expected a list of names, or an object with from and fallback',
);

const Email = v.union(
  [
    v.pipe(
      sources,
      v.transform((from) => ({ from, fallback: null, unverified: 'refuse' as const })),
    ),
    strict({
      from: v.optional(sources, [DEFAULTS]),
      fallback: v.optional(
        v.nullable(
          v.pipe(
            text,
            v.check((address: string) => isEmail(address), 'expected an e-mail address'),
          ),
        ),
        null,
      ),
      /** Addresses said to be unverified are refused; accepted all the same; or proof is demanded of all. */
      unverified: v.optional(
        v.picklist(['refuse', 'accept', 'demand_proof'], 'expected refuse, accept or demand_proof'),
        'refuse',
      ),
    }),
  ],
  'expected a list of names, or an object with from, fallback and unverified',
);

const distinguishedName = v.pipe(
  text,
  v.check((name) => parseDistinguishedName(name) !== null, 'expected a distinguished name'),
);

/** One group, or the groups that begin so, or the one of this distinguished name, or those below it. */
const Group = v.union(
  [
    text,
    strict({ prefix: text }),
    strict({ dn: distinguishedName }),
    strict({ dn_suffix: distinguishedName }),
  ],
  'expected the name of a group, or an object with one of prefix, dn, dn_suffix',
);

const Groups = strict({
  /** The claims or attributes that hold groups; all of them count. */
  from: v.optional(sources, [DEFAULTS]),
  /** Whether the provider must send one of them: absent then means not known, and not "no groups". */
  required: v.optional(v.boolean('expected true or false'), false),
  /** What becomes of a login whose groups are not known. */
  unknown: v.optional(v.picklist(['error', 'none'], 'expected error or none'), 'error'),
  /**
   * Whether this provider is known to send one value a text. Otherwise a text of several values may hide a forbidden
   * group: `no_group` then refuses texts that contain its name.
   */
  separate: v.optional(v.boolean('expected true or false'), false),
  table: v.optional(v.array(strict({ group: Group, uuid }), 'expected a list'), []),
});

const DOMAIN = /^(?:\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i;

/** `uni.example` is that domain alone, `*.uni.example` those below it. */
const domain = v.pipe(text, v.regex(DOMAIN, 'expected a domain, or *. and a domain for those below it'));

const Rule = v.union(
  [
    strict({ email_domains: someOf(domain), message }),
    strict({
      scopes: someOf(domain),
      affiliations: v.optional(
        someOf(v.pipe(text, v.excludes('@', 'expected an affiliation without its scope'))),
      ),
      from: v.optional(sources, [DEFAULTS]),
      message,
    }),
    strict({ any_group: someOf(Group), message }),
    strict({ no_group: someOf(Group), message }),
  ],
  'expected an object with one of email_domains, scopes, any_group, no_group, and at most a message besides',
);

/** Valibot drops entries of these names without a word. */
function isDropped(name: string): boolean {
  return ['__proto__', 'constructor', 'prototype'].includes(name);
}

const parts = {
  first_name: v.optional(Field),
  last_name: v.optional(Field),
  email: v.optional(Email),
  image_url: v.optional(Field),
  affiliation: v.optional(Field),
  /** A lasting identifier of the person. Without a fallback: it would make one person of many. */
  external_id: v.optional(
    v.pipe(
      sources,
      v.transform((from) => ({ from, fallback: null })),
    ),
  ),
  external_label: v.optional(Field),
  groups: v.optional(Groups),
  rules: v.optional(someOf(Rule)),
};

/** Whether an attribute `emailVerified` of this issuer's assertions proves their addresses. SAML only. */
const trustEmailVerified = v.optional(v.boolean('expected true or false'), false);

export const Mapping = strict({
  ...parts,
  /** Once any issuer is listed, no other may log anybody in. What an issuer's mapping leaves out, the rest gives. */
  issuers: v.optional(
    v.pipe(
      v.custom<Record<string, unknown>>(isJsonObject, 'expected an object of issuers'),
      v.check((issuers) => !Object.keys(issuers).some(isDropped), 'expected the names of issuers'),
      v.record(text, strict({ ...parts, trust_email_verified: trustEmailVerified })),
      v.check((issuers) => Object.keys(issuers).length > 0, 'expected at least one issuer'),
    ),
  ),
});

export type Mapping = v.InferInput<typeof Mapping>;
export type Group = v.InferOutput<typeof Group>;
export type Rule = v.InferOutput<typeof Rule>;
export type ParsedMapping = v.InferOutput<typeof Mapping>;
/** The part of a mapping that may stand for all issuers and for each one. */
export type ParsedPart = Omit<ParsedMapping, 'issuers'>;

/** Thrown when a mapping is made that cannot be meant so; the message has the path of each mistake. */
export class MappingInvalid extends Error {
  readonly code = 'mapping_invalid';
}

/** @throws {MappingInvalid} */
export function parseMapping(mapping: Mapping): ParsedMapping {
  const result = v.safeParse(Mapping, mapping);
  if (result.success) return result.output;
  throw new MappingInvalid(problemsOf(deepest(result.issues)).join('; '));
}

/**
 * Of the ways in which a choice may be written, the problems inside the one that was chosen. Where none was, because
 * a key is misspelled or missing, what the choice is says more.
 */
function deepest(issues: readonly v.BaseIssue<unknown>[]): v.BaseIssue<unknown>[] {
  return issues.flatMap((issue) => {
    const inside = deepest(issue.issues ?? []).filter(
      ({ path = [], type, message }) => path.length > 0 && type !== 'strict_object' && message !== MISSING,
    );
    if (inside.length === 0) return [issue];
    return inside.map((inner) => ({
      ...inner,
      path: [...(issue.path ?? []), ...(inner.path ?? [])] as never,
    }));
  });
}
