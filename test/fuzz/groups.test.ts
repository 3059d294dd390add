/** Nobody gets in in whose groups a denied one is, whatever form it has; and nobody gets a group that was not given. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Login } from './functions.ts';
import { type DeniedGroup, deniedGroup, HARMLESS, SEPARATORS, SETTINGS } from './inputs/denied.ts';
import { type Claims, EDITORS_UUID, type Mapping, openIdLogin, STAFF_UUID } from './inputs/logins.ts';
import { demand, invariant } from './invariant.ts';
import { both, openId } from './mappings.ts';

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
