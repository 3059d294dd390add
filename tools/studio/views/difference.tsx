/** What differs between responses, field by field, in neutral colours: only a person can tell which one is right. */
import type { Difference } from '../../explain/differences.ts';
import { type GroupNames, nameAfter } from '../../explain/differences.ts';
import { cellText } from '../texts.ts';
import { Folded, LongText, Table, Text } from './parts.tsx';

interface DifferencesProps {
  label: string;
  /** What the last column is compared with: from the response of each to that of the last one. */
  columns: readonly { title: string; differences: readonly Difference[] }[];
  last: string;
  /** Of user groups, shown beside their UUIDs. */
  names: GroupNames;
}

export function Differences({ label, columns, last, names }: DifferencesProps) {
  const all = columns.flatMap(({ differences }) => differences);
  const fields = [...new Set(all.map(({ field }) => field))];
  const table = (
    <Table
      label={label}
      heads={['Field', ...columns.map(({ title }) => title), last]}
      rows={fields.map((name) => {
        const isOf = ({ field }: Difference) => field === name;
        return [
          name,
          ...columns.map(({ differences }) => before(differences.find(isOf), names)),
          after(all.find(isOf), names),
        ];
      })}
    />
  );
  const type = all.find(({ field }) => field === 'type');
  if (!type || fields.length === 1 || !('before' in type)) return table;
  const title = `${wordOf(type.before)} → ${wordOf(type.after)}, and ${fields.length - 1} more fields`;
  return (
    <Folded id={`fields-${label.replaceAll(/\W/g, '-')}`} title={title}>
      {table}
    </Folded>
  );
}

function wordOf(type: unknown): string {
  return String(type ?? 'no response').replace(/(?:User)?Response$/, '');
}

/** What it was in the response that is compared with. */
export function before(difference: Difference | undefined, names: GroupNames) {
  if (difference === undefined) return 'as now';
  if ('removed' in difference) return items('−', difference.removed, names);
  return <LongText text={cellText(difference.before)} />;
}

/** What it is. */
export function after(difference: Difference | undefined, names: GroupNames) {
  if (difference === undefined) return 'as before';
  if ('added' in difference) return items('+', difference.added, names);
  return <LongText text={cellText(difference.after)} />;
}

/** Only those that the other list does not have. */
function items(sign: string, all: readonly unknown[], names: GroupNames) {
  return all.map((item) => (
    <div>
      {sign} <LongText text={cellText(item)} />
      <Text text={nameAfter(item, names)} />
    </div>
  ));
}
