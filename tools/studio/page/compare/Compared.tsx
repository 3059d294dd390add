import { counted } from '../../../shared/readable.ts';
import type { Comparison } from '../../api.ts';
import { useLoaded } from '../connection/useLoaded.ts';
import { Differences } from '../parts/Differences.tsx';
import { Problem } from '../parts/Problem.tsx';
import { Sign } from '../parts/Shape.tsx';
import { Text } from '../parts/Text.tsx';
import { hrefOf } from '../route.ts';
import { useStudio } from '../useStudio.ts';
import { typeWord } from '../words.ts';
import { parted } from './order.ts';

export function Compared({ functionName, other }: { functionName: string; other: string }) {
  const { request, version } = useStudio();
  const query = new URLSearchParams({ with: other });
  const path = `/api/compare/${encodeURIComponent(functionName)}?${query}`;
  const { value, problem } = useLoaded((signal) => request<Comparison>(path, { signal }), [path, version]);
  if (problem !== null) return <Problem message={problem} />;
  if (value === null) return <p class="waiting">Answering all logins by both handlers …</p>;
  return <ComparisonTable comparison={value} />;
}

function ComparisonTable({ comparison: { after, groupNames, rows } }: { comparison: Comparison }) {
  const { differing, alike } = parted(rows);
  return (
    <section aria-label="Comparison">
      <h2>
        {differing.length === 0
          ? 'No login has'
          : `${differing.length} of ${counted(rows.length, 'login')} have`}{' '}
        another response
      </h2>
      {differing.length > 0 && (
        <table class="comparison">
          <thead>
            <tr>
              <th scope="col">Login</th>
              <th scope="col">In force</th>
              <th scope="col">{after}</th>
            </tr>
          </thead>
          {differing.map((row) => (
            <Row key={row.id} row={row} other={after} names={groupNames} />
          ))}
        </table>
      )}
      {alike.length > 0 && <Alike rows={alike} />}
    </section>
  );
}

function Alike({ rows }: { rows: readonly Comparison['rows'][number][] }) {
  return (
    <details class="alike">
      <summary>{counted(rows.length, 'login is answered alike', 'logins are answered alike')}</summary>
      <ul>
        {rows.map(({ id, name, after }) => (
          <li key={id}>
            <LoginName id={id} name={name} /> <Response {...after} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function LoginName({ id, name }: { id: string; name: string }) {
  return (
    <a href={hrefOf({ view: 'logins', id })}>
      <Text text={name} />
    </a>
  );
}

type RowProps = { row: Comparison['rows'][number]; other: string; names: Comparison['groupNames'] };

/** Where even the type is another one, every field is: these wait for a click. */
function Row({ row: { id, name, before, after, differences }, other, names }: RowProps) {
  return (
    <tbody>
      <tr>
        <th scope="row">
          <LoginName id={id} name={name} />
        </th>
        <td>
          <Response {...before} />
        </td>
        <td>
          <Response {...after} />
        </td>
      </tr>
      <tr>
        <td colSpan={3}>
          <details open={before.type === after.type}>
            <summary>{differences.map(({ field }) => field).join(', ')}</summary>
            <Differences
              differences={differences}
              before="In force"
              after={other}
              label={`What differs in ${name}`}
              names={names}
            />
          </details>
        </td>
      </tr>
    </tbody>
  );
}

function Response({ type, reason }: { type: string | null; reason: string }) {
  return (
    <>
      <Sign word={typeWord(type)} /> {type !== 'AuthorizedUserResponse' && <code>{reason}</code>}
    </>
  );
}
