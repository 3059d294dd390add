/** What differs between responses, field by field, in neutral colours: only a person can tell which one is right. */
import type { Difference } from '../../explain/differences.ts';
import { type GroupNames, nameAfter } from '../../explain/differences.ts';
import { cellText } from '../texts.ts';
import { LongText, Table, Text } from './parts.tsx';

export interface DifferenceColumn {
  title: string;
  /** From the response of this column to that of the last one. */
  differences: readonly Difference[];
}

interface DifferencesProps {
  label: string;
  /** What the last column is compared with. */
  columns: readonly DifferenceColumn[];
  last: string;
  /** Of user groups, shown beside their UUIDs. */
  names: GroupNames;
}

export function Differences({ label, columns, last, names }: DifferencesProps) {
  const all = columns.flatMap(({ differences }) => differences);
  const fields = [...new Set(all.map(({ field }) => field))];
  const type = all.find(({ field }) => field === 'type');
  const table = (
    <Table label={label} heads={['Field', ...columns.map(({ title }) => title), last]}>
      {fields.map((field) => (
        <tr>
          <th scope="row">{field}</th>
          {columns.map(({ differences }) => (
            <td>
              <Before difference={differences.find((one) => one.field === field)} names={names} />
            </td>
          ))}
          <td>
            <After difference={all.find((one) => one.field === field)} names={names} />
          </td>
        </tr>
      ))}
    </Table>
  );
  if (!type || fields.length === 1 || !('before' in type)) return table;
  return (
    <details id={`fields-${label.replaceAll(/\W/g, '-')}`}>
      <summary>
        {wordOf(type.before)} → {wordOf(type.after)}, and {fields.length - 1} more fields
      </summary>
      {table}
    </details>
  );
}

function wordOf(type: unknown): string {
  return String(type ?? 'no response').replace(/(?:User)?Response$/, '');
}

interface CellProps {
  difference: Difference | undefined;
  names: GroupNames;
}

function Before({ difference, names }: CellProps) {
  if (difference === undefined) return <span class="plain">as now</span>;
  if ('removed' in difference) return <Items sign="−" items={difference.removed} names={names} />;
  return <LongText text={cellText(difference.before)} />;
}

function After({ difference, names }: CellProps) {
  if (difference === undefined) return <span class="plain">as before</span>;
  if ('added' in difference) return <Items sign="+" items={difference.added} names={names} />;
  return <LongText text={cellText(difference.after)} />;
}

/** Only items that the other list does not have. */
function Items({ sign, items, names }: { sign: string; items: readonly unknown[]; names: GroupNames }) {
  return items.map((item) => (
    <div>
      {sign} <LongText text={cellText(item)} />
      <Text text={nameAfter(item, names)} />
    </div>
  ));
}
