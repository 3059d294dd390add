/** The same login with other groups, or with groups that cannot be seen. */
import type { Group } from '../../../lib/profile/schema/mappingSchema.ts';
import type { AttackedLogin } from './login.ts';
import {
  type Change,
  type GroupSource,
  type Policy,
  type Target,
  type Variant,
  variantsOf,
} from './policy.ts';

export const GROUP_CHANGES = {
  groups_missing: {
    cure: 'Require the source: `groups.required: true`. Or require a group: `rules: [{ any_group: [...] }]`.',
    isError: (policy) => policy.has('no_group'),
    variants: (target) => withoutGroups(target, false),
  },
  optional_groups_missing: {
    cure: 'Leave it out of `groups.absent`, if the provider can send it to everybody.',
    isError: () => false,
    variants: (target) => withoutGroups(target, true),
  },
  groups_as_one_text: {
    cure: 'Leave out `groups.separator`, and have the provider send a list.',
    isError: (policy) => !policy.hasSeparator,
    /** Some providers send one text instead of a list, or values without a separator: others may be missing or hidden. */
    variants: ({ login, policy }) =>
      policy.denials.flatMap(({ denied, sources }) => {
        const [text = ''] = denied.filter((group) => typeof group === 'string');
        return arrived(login, sources).flatMap(({ name, names, texts }): Variant[] => {
          if (login.kind === 'OpenID') return [{ what: name, login: login.with([name], texts[0]) }];
          return text === '' ? [] : [{ what: name, login: login.with(names, texts.join('') + text) }];
        });
      }),
  },
  groups_cut_short: {
    cure: 'Leave out `groups.unknown: "none"`. Code refuses `hasgroups`, `_claim_names` and `groups.link`.',
    isError: (policy) => policy.has('any_group', 'no_group'),
    variants: ({ login, policy }) => {
      const sources = policy.groups.filter(({ isGuess }) => !isGuess || !policy.has('any_group', 'no_group'));
      return arrived(login, sources).flatMap(({ name, names }): Variant[] => {
        const cut = login.without(names);
        if (cut.kind === 'OpenID') {
          const [claim = name] = name.split('.');
          const sign = name === 'groups' ? cut.with(['hasgroups'], true) : cut;
          return [{ what: name, login: sign.with(['_claim_names'], { [claim]: 'src1' }) }];
        }
        if (!MAY_BE_LINKED.test(name)) return [];
        return [{ what: name, login: cut.with([GROUPS_LINK], 'https://graph.windows.net/x') }];
      });
    },
  },
  denied_group: {
    cure: 'Name the group in this form too: `rules: [{ no_group: [...] }]`.',
    /** The denied groups in each form that providers write, among the groups of the person. */
    variants: ({ login, policy }) =>
      policy.denials.flatMap(({ denied, sources }) => {
        const forms = denied.flatMap((group) => Object.entries(formsOf(group)));
        return sources.flatMap(({ names }) =>
          forms.map(([form, text]) => ({
            what: `${form} in ${names[0]}`,
            login: login.with(names, [...login.textsOf(names), text]),
          })),
        );
      }),
  },
  look_alike_group: {
    cure: 'Name whole groups, or end a prefix where a name ends: `{ prefix: "staff/" }`. Code compares the whole text.',
    isMeantForAll: true,
    /** A group that is much like one of the person's, in its place: it must not give what that one gives. */
    variants: ({ login, policy }) =>
      arrived(login, policy.groups).flatMap(({ name, names, texts }) =>
        texts
          .filter((text) => policy.isCode || policy.grants.some((group) => isLike(text, group)))
          .slice(0, MAX_IMITATED)
          .flatMap((text) => {
            const others = texts.filter((one) => one !== text);
            const control = login.with(names, others);
            return Object.entries(lookAlikes(text))
              .filter(([, other]) => !texts.includes(other) && !isMeant(other, policy))
              .map(([what, other]) => ({
                what: `${what} in ${name}`,
                login: login.with(names, [...others, other]),
                control,
              }));
          }),
      ),
  },
} as const satisfies Record<string, Change>;

const GROUPS_LINK = 'http://schemas.microsoft.com/claims/groups.link';
/** Of Entra: an assertion of another provider has no such link. */
const MAY_BE_LINKED = /group|role|memberof/i;

/** @param mayBeAbsent whether of sources that the mapping says are left out for people without groups, or of all others */
function withoutGroups({ login, policy }: Target, mayBeAbsent: boolean): Variant[] {
  const looksAt = policy.denials.flatMap(({ sources }) => sources);
  // Of a mapping in code that looks elsewhere, nothing would be tested where only the code may look.
  const sources = policy.groups.filter(
    (source) =>
      source.mayBeAbsent === mayBeAbsent &&
      (looksAt.includes(source) || (source.isGuess && !policy.has('no_group'))),
  );
  return arrived(login, sources).flatMap(({ name, names, texts }) => {
    const absent = login.without(names);
    return variantsOf({
      [`${name} absent`]: absent,
      [`${name} renamed`]: absent.with([`${name}2`], texts),
    });
  });
}

/** Of more groups of a person, the first are imitated: each is asked for several times. */
const MAX_IMITATED = 10;

/** Whether a text of a person may be what a mapping grants: only such a group is worth imitating. */
function isLike(text: string, group: Group): boolean {
  if (typeof group === 'string') return group === text;
  return 'prefix' in group ? text.startsWith(group.prefix) : true;
}

function lookAlikes(text: string): Record<string, string> {
  const [, start = '', name = text] = /^(.*[/\\:=])?([^/\\:=]+)$/s.exec(text) ?? [];
  const longer = {
    begins: `${text}ing`,
    ends: `${start}non${name}`,
    contains: `${start}non${name}-external`,
  };
  // A directory compares names without case.
  if (text.includes('=')) return longer;
  return { ...longer, case: text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase() };
}

/** Whether the mapping grants this one by itself: below a prefix that ends where a name does, or below a suffix. */
function isMeant(text: string, policy: Policy): boolean {
  return policy.grants.some((group) => {
    if (typeof group === 'string') return group === text;
    if ('dn_suffix' in group) return text.toLowerCase().endsWith(group.dn_suffix.toLowerCase());
    return 'prefix' in group && /[/:\-_.]$/.test(group.prefix) && text.startsWith(group.prefix);
  });
}

/** By what they are, without the name of the group. */
function formsOf(group: Group): Record<string, string> {
  if (typeof group === 'string') return { ...spellings(group), ...placesOf(group) };
  if ('prefix' in group) {
    const { prefix } = group;
    const itself = prefix.replace(/[/\\:]$/, '');
    return { 'below the prefix': `${prefix}evil`, ...(itself !== '' && { 'the prefix itself': itself }) };
  }
  const name = 'dn' in group ? group.dn : `CN=evil,${group.dn_suffix}`;
  return { ...spellings(name), 'in an LDAP URL': ldapUrl(name), spaced: name.replaceAll(',', ', ') };
}

function spellings(name: string): Record<string, string> {
  const joined = [',', ';', '|'].map((separator) => [`behind ${separator}`, `everyone${separator}${name}`]);
  return { 'as it is': name, 'in capitals': name.toUpperCase(), ...Object.fromEntries(joined) };
}

function ldapUrl(name: string): string {
  return `ldap://ldap.example.org/${encodeURI(name)}??base`;
}

/** Where a group of a plain name may stand: below others, above others, in a domain, in a directory. */
function placesOf(name: string): Record<string, string> {
  const path = name.startsWith('/') ? name : `/${name}`;
  const paths = { 'as a path': path, 'as a subgroup': `${path}/2024` };
  if (!/^[\w .-]+$/.test(name)) return paths;
  const dn = `CN=${name},OU=Groups,DC=example,DC=org`;
  const ofDomain = { 'in a domain': `EXAMPLE\\${name}`, 'with its domain': `${name}@idm.example` };
  return { ...paths, ...ofDomain, 'as a DN': dn, 'in an LDAP URL': ldapUrl(dn) };
}

/** The sources under which the person has groups, each with its name there, and the groups. */
function arrived(login: AttackedLogin, sources: readonly GroupSource[]) {
  return sources.flatMap(({ names }) => {
    const name = names.find((one) => login.textsOf([one]).length > 0);
    return name === undefined ? [] : [{ name, names, texts: login.textsOf(names) }];
  });
}
