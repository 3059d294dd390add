import { kindOf } from '../../../shared/functions.ts';
import type { Project } from '../../api.ts';
import { hrefOf } from '../route.ts';
import { usePageTitle } from '../usePageTitle.ts';
import { useStudio } from '../useStudio.ts';
import { Compared } from './Compared.tsx';
import { CoverageView } from './CoverageView.tsx';

interface CompareProps {
  functionName: string | null;
  /** The other handler, as the setting names it. */
  other: string | null;
}

/** The handler in force beside another one, over all logins. */
export function Compare({ functionName, other }: CompareProps) {
  const { project } = useStudio();
  usePageTitle('Compare');
  const fn = project.functions.find(({ name }) => name === functionName) ?? project.functions[0];
  if (!fn) return <p class="empty">There is no function.</p>;
  return (
    <>
      <h1>Compare handlers</h1>
      <Choice project={project} fn={fn} other={other} />
      {other === null ? (
        <p class="empty">Choose another handler to see which logins it would answer differently.</p>
      ) : (
        <Compared key={`${fn.name} ${other}`} functionName={fn.name} other={other} />
      )}
      <CoverageView key={fn.name} functionName={fn.name} />
    </>
  );
}

interface ChoiceProps {
  project: Project;
  fn: Project['functions'][number];
  other: string | null;
}

function Choice({ project, fn, other }: ChoiceProps) {
  const go = (functionName: string, chosen: string | null) => {
    location.hash = hrefOf({ view: 'compare', functionName, other: chosen });
  };
  const handlers = ['default', ...fn.handlers].filter((handler) => handler !== fn.handler);
  return (
    <div class="compare-choice">
      <label>
        Logins
        <select value={fn.name} onChange={({ currentTarget }) => go(currentTarget.value, null)}>
          {project.functions.map(({ name }) => (
            <option key={name} value={name}>
              {kindOf(name)}
            </option>
          ))}
        </select>
      </label>
      <p>
        In force{' '}
        {fn.handler === 'default' ? "the default handler, or the sample's own" : <code>{fn.handler}</code>}
      </p>
      <label>
        Beside
        <select
          value={other ?? ''}
          onChange={({ currentTarget }) => go(fn.name, currentTarget.value || null)}
        >
          <option value="">choose a handler</option>
          {handlers.map((handler) => (
            <option key={handler} value={handler}>
              {handler}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
