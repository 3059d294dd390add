import { useEffect, useRef, useState } from 'preact/hooks';
import type { KeepPlan } from '../../api.ts';
import { Panel } from '../parts/Panel.tsx';
import { Scrolling } from '../parts/Scrolling.tsx';
import { LongText, Text } from '../parts/Text.tsx';
import { JsonTree } from '../tree/JsonTree.tsx';
import { counted } from '../words.ts';

interface PlanProps {
  plan: KeepPlan;
  isWriting: boolean;
  onConfirm: (planId: string) => void;
}

/** What would be written, and what of the original is in it. */
export function Plan({ plan, isWriting, onConfirm }: PlanProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.focus(), []);
  const { blockers, stays, event, expected } = plan;
  return (
    <section class="plan" aria-label="What would be written" tabIndex={-1} ref={section}>
      {blockers.length > 0 && <Blockers blockers={blockers} />}
      <Panel title="Texts that stay" aside={<small>{counted(stays.length, 'text')} of the original</small>}>
        {stays.length > 0 ? <Stays stays={stays} /> : <p class="empty">None: every text is replaced.</p>}
      </Panel>
      {plan.id !== null && (
        <Confirmation {...plan} id={plan.id} isWriting={isWriting} onConfirm={onConfirm} />
      )}
      <Panel title="The event as it would be written">
        <JsonTree value={event} label="The event as it would be written" />
      </Panel>
      <Panel title="The expected response">
        <JsonTree value={expected} label="The expected response" />
      </Panel>
    </section>
  );
}

function Blockers({ blockers }: { blockers: readonly string[] }) {
  return (
    <Panel title="This login cannot be kept" kind="is-bad">
      <ul>
        {blockers.map((blocker) => (
          <li key={blocker}>
            <LongText text={blocker} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Stays({ stays }: Pick<KeepPlan, 'stays'>) {
  return (
    <Scrolling label="List of texts that stay">
      <table>
        <thead>
          <tr>
            <th scope="col">Text</th>
            <th scope="col">Why it stays</th>
          </tr>
        </thead>
        <tbody>
          {stays.map(({ text, why }) => (
            <tr key={text}>
              <td>
                <LongText text={text} />
              </td>
              <td>{why}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

interface ConfirmationProps extends Pick<KeepPlan, 'stays' | 'files'> {
  id: string;
  isWriting: boolean;
  onConfirm: (planId: string) => void;
}

/** Only a person can tell whether a text says who somebody is. */
function Confirmation({ id, stays, files, isWriting, onConfirm }: ConfirmationProps) {
  const [isRead, setIsRead] = useState(stays.length === 0);
  return (
    <div class="confirmation">
      {stays.length > 0 && (
        <label>
          <input
            type="checkbox"
            checked={isRead}
            onChange={({ currentTarget }) => setIsRead(currentTarget.checked)}
          />{' '}
          I have read the list: none of these texts says who the person is
        </label>
      )}
      <button type="button" class="main" disabled={!isRead || isWriting} onClick={() => onConfirm(id)}>
        {isWriting ? 'Writing …' : `Write ${counted(files.length, 'file')}`}
      </button>
      <ul class="files" aria-label="Files that are written">
        {files.map((file) => (
          <li key={file}>
            <code>
              <Text text={file} />
            </code>
          </li>
        ))}
      </ul>
    </div>
  );
}
