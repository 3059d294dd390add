/** Makes a sample of a login, without the person. */
import type { SamplePlan } from '../../keep/plan.ts';
import { counted } from '../../shared/readable.ts';
import { hrefTo } from '../address.ts';
import { isSample } from '../login.ts';
import type { Row } from '../row.ts';
import { WouldAsk } from './login.tsx';
import { Code, CopyButton, Folded, LongText, Panel, Table, Text } from './parts.tsx';
import { Tree } from './tree.tsx';

export function KeepView({ row: { id, title, login }, name }: { row: Row; name: string }) {
  return (
    <div class="page">
      <h1>Keep as a sample, without the person</h1>
      <p class="lead">
        <a href={hrefTo('logins', id)}>
          <Text text={isSample(login) ? title : 'The login'} />
        </a>{' '}
        is written to the project with its expected response. A stand-in replaces every text of it, except
        those that you see in a list before anything is written.
      </p>
      <form id="keep" data-action={`logins/${encodeURIComponent(id)}/keep`} data-outcome="plan">
        <div class="entry">
          <label for="name">Name of the sample</label>
          <input id="name" name="name" autocomplete="off" spellcheck={false} value={name} />
        </div>
        <button type="submit">Show what would be written</button>
      </form>
      <section id="plan" class="outcome" aria-label="What would be written" />
    </div>
  );
}

type PlacedText = SamplePlan['replaced'][number];
type Kept = SamplePlan['kept'][number];

interface PlanProps {
  /** Of the login. */
  id: string;
  /** Names this plan when it is confirmed; null where something stands in the way. */
  planId: string | null;
  plan: SamplePlan;
  /** What the operator lets stay. */
  ticked: readonly PlacedText[];
}

/** What would be written, and what of the original is in it. */
export function Plan({ id, planId, plan, ticked }: PlanProps) {
  const { blockers, replaced, event, expected, unanswered } = plan;
  return (
    <>
      <h2 tabindex={-1}>
        {planId === null ? 'This login cannot be kept' : `${counted(plan.files.length, 'file')} to write`}
      </h2>
      {blockers.length > 0 && (
        <Panel title="What stands in the way" kind="is-bad">
          {blockers.map((blocker) => (
            <div>
              <LongText text={blocker} />
            </div>
          ))}
        </Panel>
      )}
      <WouldAsk id={id} handler={null} requests={unanswered} />
      {event !== null && <KeptTexts kept={plan.kept} />}
      {planId !== null && <Confirmation planId={planId} files={plan.files} hasTexts={plan.kept.length > 0} />}
      {replaced.length > 0 && <Replaced replaced={replaced} ticked={ticked} isOpen={blockers.length > 0} />}
      {event !== null && (
        <Folded id="kept-event" title="The event as it would be written">
          <Tree id="kept" value={event} />
        </Folded>
      )}
      {expected !== null && (
        <Folded id="kept-expected" title="The expected response">
          <Tree id="expected" value={expected} />
        </Folded>
      )}
    </>
  );
}

/** A person reads those that may be of a person; those of standards are folded. */
function KeptTexts({ kept }: { kept: readonly Kept[] }) {
  const different = [...new Map(kept.map((one) => [`${one.why} ${one.text}`, one])).values()];
  const { standard = [], others = [] } = Object.groupBy(different, ({ isStandard }) =>
    isStandard ? 'standard' : 'others',
  );
  return (
    <Panel
      title="Texts that are kept"
      aside={<small>{counted(different.length, 'text')} of the original</small>}
    >
      {different.length === 0 && <p class="empty">None: every text is replaced.</p>}
      <Reasons label="Texts to read" texts={others} />
      {standard.length > 0 && (
        <Folded id="standard" title={`${counted(standard.length, 'text')} of standards`}>
          <Reasons label="Texts of standards" texts={standard} />
        </Folded>
      )}
    </Panel>
  );
}

function Reasons({ label, texts }: { label: string; texts: readonly Kept[] }) {
  if (texts.length === 0) return null;
  return (
    <Table label={label} heads={['Why they are kept', 'Texts']}>
      {[...Map.groupBy(texts, ({ why }) => why)].map(([why, ones]) => (
        <tr>
          <th scope="row">{why}</th>
          <td>
            <ul>
              {ones.map(({ text }) => (
                <li>
                  <LongText text={text} />
                </li>
              ))}
            </ul>
          </td>
        </tr>
      ))}
    </Table>
  );
}

interface ConfirmationProps {
  planId: string;
  files: readonly string[];
  hasTexts: boolean;
}

/** Only a person can tell whether a text says who somebody is. */
function Confirmation({ planId, files, hasTexts }: ConfirmationProps) {
  return (
    <form class="confirmation" data-action={`keeps/${planId}`} data-outcome="plan">
      {hasTexts && (
        <label>
          <input type="checkbox" name="isRead" value="yes" required /> I have read the list: none of these
          texts identifies the person
        </label>
      )}
      <button type="submit" class="main">
        Write {counted(files.length, 'file')}
      </button>
      <Files files={files} />
    </form>
  );
}

function Files({ files }: { files: readonly string[] }) {
  return (
    <ul aria-label="Files">
      {files.map((file) => (
        <li>
          <Code text={file} />
        </li>
      ))}
    </ul>
  );
}

interface ReplacedProps {
  replaced: readonly PlacedText[];
  ticked: readonly PlacedText[];
  isOpen: boolean;
}

/** The texts that are replaced. Those that are ticked stay in the next plan. */
function Replaced({ replaced, ticked, isOpen }: ReplacedProps) {
  const isTicked = (one: PlacedText) =>
    ticked.some((other) => one.path === other.path && one.text === other.text);
  const choices = [...ticked, ...replaced.filter((one) => !isTicked(one))];
  return (
    <Panel title="Texts that are replaced" aside={<small>{counted(replaced.length, 'text')}</small>}>
      <details id="replaced" open={isOpen}>
        <summary>Let some of them stay, where the handler compares them</summary>
        <Table label="Texts that may stay" heads={['Text', 'Place']}>
          {choices.map((one) => (
            <tr>
              <td>
                <label>
                  <input
                    type="checkbox"
                    name="ticked"
                    form="keep"
                    value={JSON.stringify(one)}
                    checked={isTicked(one)}
                  />{' '}
                  <LongText text={one.text} />
                </label>
              </td>
              <td>
                <Text text={one.path} />
              </td>
            </tr>
          ))}
        </Table>
        <button type="submit" form="keep">
          Show what would be written with the ticked texts
        </button>
      </details>
    </Panel>
  );
}

/** @param command answers the sample from now on */
export function Kept({ id, files, command }: { id: string; files: readonly string[]; command: string }) {
  return (
    <>
      <h2 tabindex={-1}>The sample is written</h2>
      <Files files={files} />
      <p>
        From now on <code>{command}</code> answers it too. Run it before you commit.{' '}
        <CopyButton text={command} label="Copy the command" />
      </p>
      <p>
        <a class="button main" href={hrefTo('logins', id)}>
          See the sample
        </a>
      </p>
    </>
  );
}
