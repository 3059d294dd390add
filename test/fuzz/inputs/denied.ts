/** A group that a rule denies, in each form in which providers send one. */
import fc from 'fast-check';

export interface DeniedGroup {
  /** Of `no_group`. */
  denied: unknown;
  /** Of `groups`; undefined where nobody said it. */
  separator: string | undefined;
  text: string;
  /** Whether it counts only where it is all that there is: then it is split as the setting says. */
  isAlone: boolean;
}

export const SEPARATORS = [',', ';', '|', '\t'];
/** Of `groups.separator`. */
export const SETTINGS = [undefined, ',', ';', '|', ' ', 'none'];
export const HARMLESS = ['staff', 'editors', 'members', '/campus/physics'];

const NAMES = ['suspended', 'Locked out', 'Müller-Gruppe', 'R7', 'x.y_z', 'заблокирован'];
const DN = 'CN=Suspended,OU=Groups,DC=example,DC=org';
const DN_SUFFIX = 'OU=Blocked,DC=example,DC=org';

type Form = (name: string) => string;

const plain: Form = (name) => name;

const SPELLINGS: Form[] = [
  plain,
  (name) => name.toUpperCase(),
  (name) => name.toLowerCase(),
  (name) => name.normalize('NFD'),
];

/** A group of its own, in which the denied one is a part. */
const PARTS: Form[] = [
  (name) => `/${name}`,
  (name) => `/campus/${name}`,
  (name) => `/${name}/2026`,
  (name) => `CAMPUS\\${name}`,
  (name) => `urn:mace:example.org:group:${name}`,
  (name) => `urn:mace:example.org:group:${name}:2026#idp.example.org`,
  (name) => `CN=${name},OU=Groups,DC=example,DC=org`,
  (name) => `CN=Ada,OU=${name},DC=example,DC=org`,
  (name) => `role=${name}`,
  (name) => `${name}@idp.example.org`,
  (name) => encodeURIComponent(name),
  (name) => Buffer.from(name).reduce((text, byte) => `${text}%${byte.toString(16).padStart(2, '0')}`, ''),
  (name) => name.replaceAll(' ', '+'),
  (name) => ` ${name} `,
];

/** One text of several groups. */
const JOINED: Form[] = [
  ...SEPARATORS.flatMap((separator): Form[] => [
    (name) => `${name}${separator}staff`,
    (name) => `staff${separator}${name}`,
    (name) => `staff${separator}${name}${separator}editors`,
    (name) => `staff ${separator} ${name} ${separator} editors`,
    (name) => `${separator}${name}${separator}`,
    (name) => `staff${separator.repeat(3)}${name}`,
    (name) => `"staff"${separator}"${name}"`,
    (name) => `[staff${separator} ${name}]`,
    (name) => `['staff'${separator} '${name}']`,
  ]),
  (name) => `[${name}]`,
  (name) => `{${name}}`,
  (name) => `{staff}{${name}}`,
  (name) => `"${name}"`,
  (name) => JSON.stringify([name]),
  (name) => JSON.stringify(['staff', name]),
  (name) => `staff\n${name}`,
];

const JOINED_DNS: Form[] = SEPARATORS.flatMap((separator): Form[] => [
  (name) => `CN=Staff,OU=Groups,DC=example,DC=org${separator}${name}`,
  (name) => `${name}${separator}CN=Staff,OU=Groups,DC=example,DC=org`,
  (name) => `["${name}"${separator} "staff"]`,
]);

const DN_SPELLINGS: Form[] = [
  plain,
  (name) => name.toLowerCase(),
  (name) => name.toUpperCase(),
  (name) => name.replaceAll(',', ', '),
  (name) => name.replaceAll('=', ' = '),
  (name) => name.replaceAll('CN=', '2.5.4.3='),
];

/** A group that is denied, and a name by which it is. */
function named(denied: readonly (readonly [unknown, string])[], spellings: Form[], forms: Form[]) {
  return fc
    .tuple(fc.constantFrom(...denied), fc.constantFrom(...SETTINGS))
    .filter(([[, name], separator]) => separator === undefined || !name.includes(separator))
    .chain(([[denied, name], separator]) =>
      fc
        .tuple(fc.constantFrom(...spellings), fc.constantFrom(plain, ...forms))
        .map(([spelling, form]) => ({ denied, separator, text: form(spelling(name)), isAlone: false })),
    );
}

const names = NAMES.map((name) => [name, name] as const);

/** One text that is split as the setting says. */
const split = named(names, SPELLINGS, PARTS)
  .filter(({ separator, text }) => /^[,;| ]$/.test(separator ?? '') && !text.includes(separator ?? ''))
  .map((group) => ({
    ...group,
    text: ['staff', group.text, 'editors'].join(group.separator),
    isAlone: true,
  }));

const DNS = [
  [{ dn: DN }, DN],
  [{ dn_suffix: DN_SUFFIX }, `CN=Ada,${DN_SUFFIX}`],
] as const;

export const deniedGroup: fc.Arbitrary<DeniedGroup> = fc.oneof(
  { weight: 3, arbitrary: named(names, SPELLINGS, [...PARTS, ...JOINED]) },
  { weight: 1, arbitrary: split },
  { weight: 1, arbitrary: named([[{ prefix: 'blocked-' }, 'blocked-2026']], SPELLINGS, JOINED) },
  { weight: 2, arbitrary: named(DNS, DN_SPELLINGS, JOINED_DNS) },
);
