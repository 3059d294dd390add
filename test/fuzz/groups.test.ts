/** Nobody gets in in whose groups a denied one is, whatever form it has; and nobody gets a group that was not given. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Login } from './functions.ts';
import { demand, invariant } from './invariant.ts';
import { both, type Claims, type Mapping, openId, openIdLogin } from './mappings.ts';

/** A group that a rule denies, in a form in which providers send one. */
interface DeniedGroup {
  /** Of `no_group`. */
  denied: unknown;
  /** Of `groups`; undefined where nobody said it. */
  separator: string | undefined;
  /** What the claim has: a list, or one text. */
  groups: string | string[];
}

const SEPARATORS = [',', ';', '|', '\t'];
/** Of `groups.separator`. */
const SETTINGS = [undefined, ',', ';', '|', ' ', 'none'];
const HARMLESS = ['staff', 'editors', 'members', '/campus/physics'];

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

const deniedGroup: fc.Arbitrary<DeniedGroup> = fc.oneof(
  { weight: 4, arbitrary: deniedBy(names, SPELLINGS, PARTS, JOINED) },
  { weight: 1, arbitrary: deniedBy([[{ prefix: 'blocked-' }, 'blocked-2026']], SPELLINGS, [plain], JOINED) },
  { weight: 2, arbitrary: deniedBy(DNS, DN_SPELLINGS, [plain], [...JOINED, ...JOINED_DNS]) },
);

const STAFF_UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
const EDITORS_UUID = '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11';
const TABLE = [
  { group: 'staff', uuid: STAFF_UUID },
  { group: { prefix: '/projects/' }, uuid: EDITORS_UUID },
];
const TABLE_OF_DNS = [...TABLE, { group: { dn_suffix: 'OU=Editors,DC=example,DC=org' }, uuid: EDITORS_UUID }];

const ANY = [
  ...HARMLESS,
  ...['/projects/one', 'projects', 'STAFF', ' staff', 'CN=Ada,OU=Editors,DC=example,DC=org', 'staff,editors'],
];

function denying({ denied, separator }: DeniedGroup): Mapping {
  const groups = { from: ['groups'], table: TABLE, ...(separator !== undefined && { separator }) };
  return { groups, rules: [{ no_group: [denied] }] };
}

function uuidsOf({ answer }: Login): unknown[] {
  return (answer.user_group_uuids as unknown[] | undefined) ?? [];
}

invariant('groups: a denied one in whatever form never gets in', deniedGroup, async (group) => {
  for (const login of await both(denying(group), { groups: group.groups }))
    demand(!login.isIn, `a denied group gets in as ${JSON.stringify(group.groups)}`);
});
invariant(
  'groups: who has no denied one gets in, with the groups of the table, in a list or in a text that is split',
  fc.tuple(deniedGroup, fc.subarray(HARMLESS, { minLength: 1 }), fc.constantFrom('', ' ')),
  async ([group, list, space]) => {
    const { separator } = group;
    const isSplit = separator !== undefined && separator !== 'none';
    const sent = isSplit ? [list, list.join(`${space}${separator}${space}`)] : [list];
    const expected = list.includes('staff') ? [STAFF_UUID] : [];
    for (const groups of sent) {
      for (const { answer, reason } of await both(denying(group), { groups })) {
        const given = isDeepStrictEqual(answer.user_group_uuids, expected);
        demand(given, `who has ${groups} gets ${answer.user_group_uuids} (${reason})`);
      }
    }
  },
);
invariant(
  'groups: an item of a list that only holds a wanted one gives nothing',
  fc.record({
    between: fc.constantFrom(...SEPARATORS, ' '),
    separator: fc.constantFrom(...SETTINGS),
    others: fc.shuffledSubarray(['x', 'staff', 'editors'], { minLength: 2 }),
  }),
  async ({ between, separator, others }) => {
    const groups = [others.join(between), 'members'];
    const spec = { from: ['groups'], table: TABLE, ...(separator !== undefined && { separator }) };
    for (const { isIn } of await both({ groups: spec, rules: [{ any_group: ['staff'] }] }, { groups }))
      demand(!isIn, 'nobody gets in by a part of a text');
    for (const login of await both({ groups: spec }, { groups }))
      demand(!uuidsOf(login).includes(STAFF_UUID), 'nobody gets a group by a part of a text');
  },
);
invariant(
  'groups: fewer claims never give more, and where a rule denies groups, no source is left out',
  fc.tuple(fc.array(fc.constantFrom(...ANY), { maxLength: 6 }), fc.array(fc.constantFrom(...ANY)), fc.nat()),
  async ([groups, roles, at]) => {
    const spec = { from: ['groups', 'roles'], table: TABLE_OF_DNS };
    const given = uuidsOf(await openId(openIdLogin({ groups: spec }, { groups, roles })));
    const fewer = groups.toSpliced(at % Math.max(groups.length, 1), 1);
    const less: Claims[] = [{ groups: fewer, roles }, { roles }, { groups }, {}];
    for (const claims of less) {
      const uuids = uuidsOf(await openId(openIdLogin({ groups: spec }, claims)));
      const isMore = uuids.some((uuid) => !given.includes(uuid));
      demand(!isMore, `${JSON.stringify(claims)} gives more than all of them`);
      const rules = [{ no_group: ['suspended'] }];
      const { isIn } = await openId(openIdLogin({ groups: spec, rules }, claims));
      demand(!isIn || Object.keys(claims).length === 2, `${JSON.stringify(claims)} gets in`);
    }
  },
);
