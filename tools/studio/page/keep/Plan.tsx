import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { counted } from '../../../shared/readable.ts';
import type { KeepPlan, PlacedText } from '../../api.ts';
import { Panel } from '../parts/Panel.tsx';
import { LongText, Text } from '../parts/Text.tsx';
import { JsonTree } from '../tree/JsonTree.tsx';
import { Replaced } from './Replaced.tsx';

interface PlanProps {
  plan: KeepPlan;
  isWriting: boolean;
  onConfirm: (planId: string) => void;
  ticked: readonly PlacedText[];
  onTick: (ticked: PlacedText[]) => void;
  onReplan: () => void;
  /** Below what stands in the way: what can be done about it. */
  children: ComponentChildren;
}

/** What would be written, and what of the original is in it. */
export function Plan({ plan, isWriting, onConfirm, children, ...ticks }: PlanProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.focus(), []);
  const { blockers, replaced, event, expected } = plan;
  const stays = differentTexts(plan.stays);
  return (
    <section class="plan" aria-label="What would be written" tabIndex={-1} ref={section}>
      {blockers.length > 0 && <Blockers blockers={blockers} />}
      {children}
      {event !== null && (
        <Panel title="Texts that stay" aside={<small>{counted(stays.length, 'text')} of the original</small>}>
          {stays.length > 0 ? <Stays stays={stays} /> : <p class="empty">None: every text is replaced.</p>}
        </Panel>
      )}
      {plan.id !== null && (
        <Confirmation {...plan} id={plan.id} isWriting={isWriting} onConfirm={onConfirm} />
      )}
      {replaced.length > 0 && <Replaced replaced={replaced} isOpen={blockers.length > 0} {...ticks} />}
      {event !== null && (
        <Panel title="The event as it would be written">
          <JsonTree value={event} label="The event as it would be written" />
        </Panel>
      )}
      {expected !== null && (
        <Panel title="The expected response">
          <JsonTree value={expected} label="The expected response" />
        </Panel>
      )}
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

/** A text that stays for one reason in several places is read once. */
function differentTexts(stays: KeepPlan['stays']): KeepPlan['stays'] {
  return [...new Map(stays.map((stay) => [`${stay.why} ${stay.text}`, stay])).values()];
}

/** All of it is on the page: what has to be scrolled is confirmed unread. Texts that stay for one reason are read together. */
function Stays({ stays }: Pick<KeepPlan, 'stays'>) {
  const byReason = [...Map.groupBy(stays, ({ why }) => why)];
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Why they stay</th>
          <th scope="col">Texts</th>
        </tr>
      </thead>
      <tbody>
        {byReason.map(([why, texts]) => (
          <tr key={why}>
            <th scope="row">{why}</th>
            <td>
              <ul>
                {texts.map(({ text }) => (
                  <li key={text}>
                    <LongText text={text} />
                  </li>
                ))}
              </ul>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
          I have read the list: none of these texts identifies the person
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
