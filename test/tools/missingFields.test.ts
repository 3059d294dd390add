/** When the alarm about missing fields is raised, and what the guide says of it. */
import { describe, expect, test } from '@jest/globals';
import { PROFILE_FIELDS } from '../../lib/profile/fields.ts';
import { countsOfMissing } from '../../tools/deploy/missingFields.ts';
import { answerOf, withFunction } from '../support/bundle.ts';
import { type Alarm, alarms, onLambda, openId } from '../support/monitoring.ts';
import { textOf } from '../support/pages.ts';

const ALARMS = alarms();
const page = await textOf('docs/operate.md');

describe('the alarm about missing fields', () => {
  const alarm = ALARMS.find(({ AlarmName }) => AlarmName === 'x-openidLoggedIn-missing') as Alarm;
  const expressionOf = (id: string) => alarm.Metrics.find(({ Id }) => Id === id)?.Expression ?? '';

  /** The days' values of `DIFF(…)`, computed as metric math has it: a day without a value is passed over. */
  function rises(field: string, days: [lookedFor: number, missing: number | null][]): number[] {
    const [, inner] = /^DIFF\((.*)\)$/.exec(expressionOf(field)) ?? [];
    const share = new Function('IF', 'FILL', 'looked_for', `${field}_missing`, `return ${inner}`);
    const shares = days
      .map(([lookedFor, missing]) => share(ifThen, fill, lookedFor, missing) as number | null)
      .filter((value) => value !== null);
    return shares.slice(1).map((value, index) => value - (shares[index] ?? 0));
  }
  const ifThen = (condition: boolean, value: number) => (condition ? value : null);
  const fill = (value: number | null, other: number) => value ?? other;
  const isRaised = (days: [number, number | null][]) =>
    rises('email', days).some((rise) => rise > alarm.Threshold);

  test('takes the field that rises most', () => {
    expect(expressionOf('result')).toBe(`MAX([${PROFILE_FIELDS.join(', ')}])`);
    for (const field of PROFILE_FIELDS)
      expect(
        rises(field, [
          [100, null],
          [100, 30],
        ]),
      ).toEqual([30]);
  });

  test.each<[string, [number, number | null][], boolean]>([
    [
      'a field that is never sent',
      [
        [100, 100],
        [400, 400],
        [60, 60],
      ],
      false,
    ],
    [
      'a field that is always sent',
      [
        [100, null],
        [400, null],
      ],
      false,
    ],
    [
      'a few people without it',
      [
        [100, null],
        [100, 19],
        [100, 2],
      ],
      false,
    ],
    [
      'a provider of a quarter of the logins that stops',
      [
        [200, 10],
        [200, 60],
      ],
      true,
    ],
    [
      'few logins',
      [
        [100, null],
        [20, 20],
      ],
      false,
    ],
    [
      'a weekend with few logins',
      [
        [100, null],
        [8, null],
        [4, 4],
        [100, 90],
      ],
      true,
    ],
    [
      'what is sent again',
      [
        [100, 100],
        [100, null],
      ],
      false,
    ],
  ])('%s', (_, days, expected) => {
    expect(isRaised(days)).toBe(expected);
  });
});

describe('the guide', () => {
  test('says how many metrics the alarms read', () => {
    const read = ALARMS.map(({ Metrics }) => Metrics?.filter(({ MetricStat }) => MetricStat).length ?? 1);
    const sum = read.reduce((total, count) => total + count, 0);
    expect(page).toContain(`read ${sum} metrics`);
    for (const { AlarmName } of ALARMS) expect(page).toContain(AlarmName.replace('x-openidLoggedIn', '…'));
  });

  test('names each metric, and queries each field', () => {
    for (const metric of Object.keys(countsOfMissing(''))) expect(page).toContain(`\`${metric}\``);
    const queried = Array.from(page.matchAll(/strcontains\(names, '"(\w+)"'\)/g), ([, field]) => field);
    expect(queried).toEqual(PROFILE_FIELDS);
  });

  test('has a query that reads the list out of a line of the log', async () => {
    const [, pattern = ''] = /^\| parse @message \/(.*)\/$/m.exec(page) ?? [];
    const listed = await withFunction('openidLoggedIn', {}, async (fn) => {
      const texts: unknown[] = [];
      const hostile = openId({}, '"missing":["email"]');
      for (const event of [openId({}), hostile, openId({ email: undefined, given_name: '' })]) {
        const line = JSON.stringify(onLambda((await answerOf(fn, event)).record));
        texts.push(new RegExp(pattern).exec(line)?.groups?.listed);
      }
      return texts;
    });
    expect(listed).toEqual([undefined, undefined, '"email","first_name"']);
  });
});
