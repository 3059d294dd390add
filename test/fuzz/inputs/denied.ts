/** Groups that a rule denies, in the forms in which providers send one. */
import fc from 'fast-check';

export interface DeniedGroup {
  /** Of `no_group`. */
  denied: unknown;
  /** Of `groups`; undefined where nobody said it. */
  separator: string | undefined;
  /** What the claim has: a list, or one text. */
  groups: string | string[];
}

export const SEPARATORS = [',', ';', '|', '\t'];
/** Of `groups.separator`. */
export const SETTINGS = [undefined, ',', ';', '|', ' ', 'none'];
export const HARMLESS = ['staff', 'editors', 'members', '/campus/physics'];

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

const DN_SPELLINGS: Form[] = [
  ...SPELLINGS,
  (name) => name.replaceAll(',', ', '),
  (name) => name.replaceAll('=', ' = '),
  (name) => name.replaceAll('CN=', '2.5.4.3='),
];

/** A group of its own, in which the denied one is a part. */
const PARTS: Form[] = [
  (name) => `/${name}`,
  (name) => `/campus/${name}`,
  (name) => `/${name}/2026`,
  (name) => `CAMPUS\\${name}`,
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
    (name) => `staff ${separator} ${name} ${separator} editors`,
    (name) => `${separator}${name}${separator}`,
    (name) => `staff${separator.repeat(3)}${name}`,
    (name) => `"staff"${separator}"${name}"`,
    (name) => `['staff'${separator} '${name}']`,
  ]),
  (name) => `[${name}]`,
  (name) => `{staff}{${name}}`,
  (name) => `"${name}"`,
  (name) => JSON.stringify(['staff', name]),
  (name) => `staff\n${name}`,
];

const JOINED_DNS: Form[] = SEPARATORS.flatMap((separator): Form[] => [
  (name) => `CN=Staff,OU=Groups,DC=example,DC=org${separator}${name}`,
  (name) => `${name}${separator}CN=Staff,OU=Groups,DC=example,DC=org`,
  (name) => `["${name}"${separator} "staff"]`,
]);

/** Groups that are denied, each with a name by which one is. */
function deniedBy(
  groups: readonly (readonly [denied: unknown, name: string])[],
  spellings: Form[],
  parts: Form[],
  joined: Form[],
) {
  return fc
    .record({
      group: fc.constantFrom(...groups),
      separator: fc.constantFrom(...SETTINGS),
      spelling: fc.constantFrom(...spellings),
      form: fc.oneof(fc.constant(plain), fc.constantFrom(...parts), fc.constantFrom(...joined)),
      before: fc.subarray(HARMLESS),
      after: fc.subarray(HARMLESS),
      isList: fc.boolean(),
    })
    .filter(({ group: [, name], separator }) => separator === undefined || !name.includes(separator))
    .map(({ group: [denied, name], separator, spelling, form, before, after, isList }): DeniedGroup => {
      const text = form(spelling(name));
      const list = [...before, text, ...after];
      const isSplit = /^[,;| ]$/.test(separator ?? '') && !text.includes(separator ?? '');
      return { denied, separator, groups: isList ? list : isSplit ? list.join(separator) : text };
    });
}

const NAMES = ['suspended', 'Locked out', 'Müller-Gruppe', 'R7', 'x.y_z', 'заблокирован'];
const DNS = [
  [{ dn: DN }, DN],
  [{ dn_suffix: DN_SUFFIX }, `CN=Ada,${DN_SUFFIX}`],
] as const;

const names = NAMES.map((name) => [name, name] as const);

export const deniedGroup: fc.Arbitrary<DeniedGroup> = fc.oneof(
  { weight: 4, arbitrary: deniedBy(names, SPELLINGS, PARTS, JOINED) },
  { weight: 1, arbitrary: deniedBy([[{ prefix: 'blocked-' }, 'blocked-2026']], SPELLINGS, [plain], JOINED) },
  { weight: 2, arbitrary: deniedBy(DNS, DN_SPELLINGS, [plain], [...JOINED, ...JOINED_DNS]) },
);
