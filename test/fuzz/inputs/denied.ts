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

const JOINED_DNS: Form[] = [',', ';', '|', '\t'].flatMap((separator): Form[] => [
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

const separator = fc.constantFrom(...SETTINGS);

const named = fc
  .tuple(fc.constantFrom(...NAMES), separator)
  .filter(([name, separator]) => separator === undefined || !name.includes(separator))
  .chain(([denied, separator]) => {
    const splits = separator !== undefined && separator !== 'none';
    const parts = fc.constantFrom(plain, ...PARTS);
    const split: Form = (name) =>
      splits && !name.includes(separator) ? ['staff', name, 'editors'].join(separator) : name;
    const forms = fc.oneof(
      fc.record({ form: parts, isAlone: fc.constant(false) }),
      fc.record({
        form: parts.map(
          (part): Form =>
            (name) =>
              split(part(name)),
        ),
        isAlone: fc.constant(splits),
      }),
      fc.record({ form: fc.constantFrom(...JOINED), isAlone: fc.constant(false) }),
    );
    return fc
      .tuple(fc.constantFrom(...SPELLINGS), forms)
      .map(([spelling, { form, isAlone }]) => ({ denied, separator, text: form(spelling(denied)), isAlone }));
  });

const prefixed = fc.tuple(separator, fc.constantFrom(...SPELLINGS), fc.constantFrom(plain, ...JOINED)).map(
  ([separator, spelling, form]): DeniedGroup => ({
    denied: { prefix: 'blocked-' },
    separator,
    text: form(spelling('blocked-2026')),
    isAlone: false,
  }),
);

const distinguished = fc
  .tuple(
    fc.constantFrom<[unknown, string]>([{ dn: DN }, DN], [{ dn_suffix: DN_SUFFIX }, `CN=Ada,${DN_SUFFIX}`]),
    // Its own names have commas.
    separator.filter((separator) => separator !== ','),
    fc.constantFrom(...DN_SPELLINGS),
    fc.constantFrom(plain, ...JOINED_DNS),
  )
  .map(
    ([[denied, name], separator, spelling, form]): DeniedGroup => ({
      denied,
      separator,
      text: form(spelling(name)),
      isAlone: false,
    }),
  );

export const deniedGroup: fc.Arbitrary<DeniedGroup> = fc.oneof(
  { weight: 4, arbitrary: named },
  { weight: 1, arbitrary: prefixed },
  { weight: 2, arbitrary: distinguished },
);
