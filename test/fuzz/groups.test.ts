/** Nobody gets in in whose groups a denied one is, whatever form it has; and nobody gets a group that was not given. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Login } from './functions.ts';
import { deniedGroup, HARMLESS, SEPARATORS, SETTINGS } from './inputs/denied.ts';
import { type Claims, EDITORS_UUID, type Mapping, openIdLogin, STAFF_UUID } from './inputs/logins.ts';
import { demand, invariant } from './invariant.ts';
import { mappings } from './situation.ts';

const TABLE = [
  { group: 'staff', uuid: STAFF_UUID },
  { group: { prefix: '/projects/' }, uuid: EDITORS_UUID },
];
const TABLE_OF_DNS = [...TABLE, { group: { dn_suffix: 'OU=Editors,DC=example,DC=org' }, uuid: EDITORS_UUID }];

function denying(denied: unknown, separator: string | undefined): Mapping {
  const groups = { from: ['groups'], table: TABLE, ...(separator !== undefined && { separator }) };
  return { groups, rules: [{ no_group: [denied] }] };
}

function uuidsOf({ answer }: Login): unknown[] {
  return (answer.user_group_uuids as unknown[] | undefined) ?? [];
}

const ANY = [
  ...HARMLESS,
  ...['/projects/one', 'projects', 'STAFF', ' staff', 'CN=Ada,OU=Editors,DC=example,DC=org', 'staff,editors'],
];

const more = fc.subarray(HARMLESS);
const harmless = fc.subarray(HARMLESS, { minLength: 1 });

const { openId, both } = await mappings();

invariant(
  'groups: a denied one in whatever form never gets in',
  fc.tuple(deniedGroup, more, more, fc.boolean()),
  async ([{ denied, separator, text, isAlone }, before, after, isList]) => {
    const groups = isList && !isAlone ? [...before, text, ...after] : text;
    for (const login of await both(denying(denied, separator), { groups }))
      demand(!login.isIn, `a denied group gets in as ${JSON.stringify(groups)}`);
  },
);
invariant(
  'groups: who has no denied one gets in, with the groups of the table, in a list or in a text that is split',
  fc.tuple(deniedGroup, harmless, fc.constantFrom('', ' ')),
  async ([{ denied, separator }, list, space]) => {
    const isSplit = separator !== undefined && separator !== 'none';
    const sent = isSplit ? [list, list.join(`${space}${separator}${space}`)] : [list];
    const expected = list.includes('staff') ? [STAFF_UUID] : [];
    for (const groups of sent) {
      for (const { isIn, answer, reason } of await both(denying(denied, separator), { groups })) {
        demand(isIn, `who has ${groups} gets in, and is not answered ${reason}`);
        const uuids = answer.user_group_uuids;
        demand(isDeepStrictEqual(uuids, expected), `who has ${groups} gets ${uuids}`);
      }
    }
  },
);
invariant(
  'groups: an item of a list that only holds a wanted one gives nothing',
  fc.tuple(
    fc.constantFrom(...SEPARATORS, ' '),
    fc.constantFrom(...SETTINGS),
    fc.constantFrom('x', 'editors'),
    fc.boolean(),
  ),
  async ([between, separator, other, isFirst]) => {
    const groups = [(isFirst ? ['staff', other] : [other, 'staff']).join(between), 'members'];
    const spec = { from: ['groups'], table: TABLE, ...(separator !== undefined && { separator }) };
    const wanted = { groups: spec, rules: [{ any_group: ['staff'] }] };
    for (const { isIn } of await both(wanted, { groups }))
      demand(!isIn, 'nobody gets in by a part of a text');
    for (const login of await both({ groups: spec }, { groups })) {
      demand(!uuidsOf(login).includes(STAFF_UUID), 'nobody gets a group by a part of a text');
    }
  },
);
invariant(
  'groups: a source that did not arrive never opens',
  fc.tuple(fc.constantFrom(undefined, [], ['staff']), fc.constantFrom(undefined, {}, { roles: ['staff'] })),
  async ([groups, realm_access]) => {
    const from = ['realm_access.roles', 'groups'];
    const mapping = { groups: { from }, rules: [{ no_group: ['suspended'] }] };
    const isWhole = groups !== undefined && realm_access?.roles !== undefined;
    const login = await openId(openIdLogin(mapping, { groups, realm_access }));
    demand(login.isIn === isWhole, `with ${JSON.stringify({ groups, realm_access })}: ${login.reason}`);
  },
);
invariant(
  'groups: fewer of them never give more',
  fc.tuple(fc.array(fc.constantFrom(...ANY), { maxLength: 6 }), fc.array(fc.constantFrom(...ANY)), fc.nat()),
  async ([groups, roles, at]) => {
    const mapping = { groups: { from: ['groups', 'roles'], table: TABLE_OF_DNS } };
    const all = await openId(openIdLogin(mapping, { groups, roles }));
    const fewer = groups.toSpliced(at % Math.max(groups.length, 1), 1);
    const less: Claims[] = [{ groups: fewer, roles }, { roles }, { groups }, {}];
    for (const claims of less) {
      const login = await openId(openIdLogin(mapping, claims));
      const given = uuidsOf(all);
      demand(
        !all.isIn || uuidsOf(login).every((uuid) => given.includes(uuid)),
        `${JSON.stringify(claims)} gives more than all of them`,
      );
    }
  },
);
