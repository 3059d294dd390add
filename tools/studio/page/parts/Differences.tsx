import type { Difference } from '../../../explain/differences.ts';
import { type GroupNames, nameAfter } from '../../../explain/groupNames.ts';
import { cellText } from '../showing.ts';
import { LongText, Text } from './Text.tsx';

interface DifferencesProps {
  differences: readonly Difference[];
  /** The titles of the two columns of values. */
  before: string;
  after: string;
  label: string;
  /** Of user groups, shown beside their UUIDs. */
  names: GroupNames;
}

/** What differs between two responses, field by field. */
export function Differences({ differences, before, after, label, names }: DifferencesProps) {
  return (
    <table class="differences" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">{before}</th>
          <th scope="col">{after}</th>
        </tr>
      </thead>
      <tbody>
        {differences.map((difference) => (
          <tr key={difference.field}>
            <th scope="row">{difference.field}</th>
            <Cells difference={difference} names={names} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cells({ difference, names }: { difference: Difference; names: GroupNames }) {
  if (!('added' in difference)) {
    return (
      <>
        <td class="was">
          <LongText text={cellText(difference.before)} />
        </td>
        <td class="is">
          <LongText text={cellText(difference.after)} />
        </td>
      </>
    );
  }
  return (
    <>
      <td class="was">
        <Items sign="−" items={difference.removed} names={names} />
      </td>
      <td class="is">
        <Items sign="+" items={difference.added} names={names} />
      </td>
    </>
  );
}

/** Only items that the other list does not have. */
function Items({ sign, items, names }: { sign: string; items: readonly unknown[]; names: GroupNames }) {
  return items.map((item, index) => (
    <div key={index}>
      {sign} <LongText text={cellText(item)} />
      <Text text={nameAfter(item, names)} />
    </div>
  ));
}
