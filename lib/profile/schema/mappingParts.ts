/** What several parts of a mapping are made of: sources, groups, domains and the words for the person. */
import * as v from 'valibot';
import { isJsonObject, someOf, strict, stringThat, text } from '../../schema.ts';
import { DEFAULTS } from '../fields/reader.ts';
import { parseDistinguishedName } from './distinguishedName.ts';
import { asciiDomain } from './domains.ts';

const TEXTS = 'expected a text, or an object of texts by language';

/** A tag, the most general part first: `de`, `de-CH`, `zh-Hant`. */
const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i;

const TextByLanguage = v.pipe(
  v.custom<Record<string, string>>(isJsonObject, TEXTS),
  v.record(
    stringThat((tag) => LANGUAGE_TAG.test(tag), 'expected a language tag, e.g. de or de-CH'),
    text,
  ),
  v.check((texts) => Object.keys(texts).length > 0, 'expected at least one language'),
);

/** What a refused person reads. The first language is for those who prefer none of them. */
const Message = v.union([text, TextByLanguage], TEXTS);
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

/** `uni.example` is that domain alone, `*.uni.example` those below it. */
export const domain = stringThat(
  (name) => DOMAIN.test(asciiDomain(name) ?? ''),
  'expected a domain, or *. and a domain for its subdomains',
);

export type Group = v.InferOutput<typeof Group>;
export type Message = v.InferOutput<typeof Message>;
