/** What differs between responses, field by field, in neutral colours: only a person can tell which one is right. */
import { type Difference, type GroupNames, nameAfter } from '../../explain/differences.ts';
import { counted } from '../../shared/readable.ts';
import type { Detail } from '../detail.ts';
import { cellText } from '../words.ts';
import { Folded, LongText, Panel, Table, Text } from './parts.tsx';

export function Changed({ detail: { login, groupNames } }: { detail: Detail }) {
  const { verdict, changes } = login;
  const expected = verdict.kind === 'differs' ? verdict.differences : [];
  const columns = [
    { title: 'Expected', differences: expected },
    { title: 'Before', differences: changes },
  ].filter(({ differences }) => differences.length > 0);
  const all = columns.flatMap(({ differences }) => differences);
  const fields = [...new Set(all.map(({ field }) => field))];
  if (fields.length === 0) return null;
  const table = (
    <Table
      label="What differs"
      heads={['Field', ...columns.map(({ title }) => title), 'Now']}
      rows={fields.map((name) => {
        const isOf = ({ field }: Difference) => field === name;
        return [
          name,
          ...columns.map(({ differences }) => before(differences.find(isOf), groupNames)),
          after(all.find(isOf), groupNames),
        ];
      })}
    />
  );
  const type = fields.length > 1 ? all.find(({ field }) => field === 'type') : undefined;
  const types = type && 'before' in type ? `${wordOf(type.before)} → ${wordOf(type.after)}` : null;
  const title = `${types}, and ${counted(fields.length - 1, 'more field')}`;
  return (
    <Panel title={expected.length > 0 ? 'Not the expected response' : 'Changed by the last save'}>
      {types === null ? (
        table
      ) : (
        <Folded id="changed-fields" title={title}>
          {table}
        </Folded>
      )}
    </Panel>
  );
}

function wordOf(type: unknown): string {
  return String(type ?? 'no response').replace(/(?:User)?Response$/, '');
}

export function before(difference: Difference | undefined, names: GroupNames) {
  if (difference === undefined) return 'as now';
  if ('removed' in difference) return items('−', difference.removed, names);
  return <LongText text={cellText(difference.before)} />;
}

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
