import type { Coverage, CoveredRule } from '../../../explain/coverage.ts';
import { counted } from '../../../shared/readable.ts';
import type { MappingCoverage } from '../../api.ts';
import { useLoaded } from '../connection/useLoaded.ts';
import { Problem } from '../parts/Problem.tsx';
import { Scrolling } from '../parts/Scrolling.tsx';
import { Shape } from '../parts/Shape.tsx';
import { LongText } from '../parts/Text.tsx';
import { useStudio } from '../useStudio.ts';

/** Which rules and table rows of each mapping the logins hit that it answered. */
export function CoverageView({ functionName }: { functionName: string }) {
  const { request, version } = useStudio();
  const { value, problem, isLoading } = useLoaded(
    (signal) => request<MappingCoverage[]>(`/api/coverage/${encodeURIComponent(functionName)}`, { signal }),
    [functionName, version],
  );
  return (
    <section class="coverage" aria-label="Coverage of mappings">
      <h2>Coverage of mappings</h2>
      <Problem message={problem} />
      {value?.map((mapping) => (
        <Tables key={mapping.handler} {...mapping} />
      ))}
      {!value?.length && problem === null && (
        <p class="empty">
          {isLoading ? 'Counting …' : 'No mapping ran for these logins, so there is nothing to count.'}
        </p>
      )}
    </section>
  );
}

function Tables({ handler, logins, coverage: { rules, rows, unmatched } }: MappingCoverage) {
  return (
    <>
      <p>
        <code>{handler}</code>, {counted(logins, 'login')}: {notHitText({ rules, rows, unmatched })}
      </p>
      {rules.length > 0 && <RuleTable handler={handler} rules={rules} />}
      {rows.length > 0 && <RowTable handler={handler} rows={rows} />}
      {unmatched.groups > 0 && (
        <p>
          {counted(unmatched.groups, 'group')} of {counted(unmatched.events, 'login')} in no row
        </p>
      )}
    </>
  );
}

function notHitText({ rules, rows }: Coverage): string {
  const count = rules.filter(({ isHit }) => !isHit).length + rows.filter(({ groups }) => groups === 0).length;
  return count === 0
    ? 'every rule and row is hit'
    : `${counted(count, 'rule or row', 'rules and rows')} not hit`;
}

function RuleTable({ handler, rules }: { handler: string; rules: readonly CoveredRule[] }) {
  return (
    <Scrolling label={`Rules of ${handler}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Allows</th>
            <th scope="col">Refuses</th>
            <th scope="col">Cannot judge</th>
            <th scope="col">Remark</th>
            <th scope="col">Of the mapping</th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <tr key={rule.path}>
              <th scope="row">{rule.path}</th>
              <td class="number">{rule.verdicts.allows}</td>
              <td class="number">{rule.verdicts.refuses}</td>
              <td class="number">{rule.verdicts.unknown + rule.verdicts.unclear}</td>
              <td>
                <Remark text={remarkOf(rule)} />
              </td>
              <td>
                <LongText text={rule.text} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

function RowTable({ handler, rows }: { handler: string; rows: Coverage['rows'] }) {
  return (
    <Scrolling label={`Groups of ${handler}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Row</th>
            <th scope="col">Groups</th>
            <th scope="col">Remark</th>
            <th scope="col">Of the mapping</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ path, text, groups }) => (
            <tr key={path}>
              <th scope="row">{path}</th>
              <td class="number">{groups}</td>
              <td>
                <Remark text={groups === 0 ? 'not hit' : ''} />
              </td>
              <td>
                <LongText text={text} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

function Remark({ text }: { text: string }) {
  if (text === '') return null;
  return (
    <span class="sign is-stopped">
      <Shape tone="stopped" /> {text}
    </span>
  );
}

function remarkOf({ isHit, verdicts: { allows } }: CoveredRule): string {
  if (isHit) return allows === 0 ? 'allows nobody' : '';
  return allows === 0 ? 'not hit: no login reaches it' : 'not hit: refuses nobody';
}
