/** Makes a sample of a login, without the person. */
import type { SamplePlan } from '../../keep/plan.ts';
import { counted } from '../../shared/readable.ts';
import { hrefTo } from '../address.ts';
import { WouldAsk } from './login.tsx';
import { Code, Field, Folded, List, LongText, Panel, Table, Text } from './parts.tsx';
import { Tree } from './tree.tsx';

export function KeepView({ id, name }: { id: string; name: string }) {
  return (
    <div class="page">
      <h1>Keep as a sample, without the person</h1>
      <p class="lead">
        <a href={hrefTo('logins', id)}>The login</a> is written to the project with its expected response. A
        pseudonym replaces every text of it, except those that you see in a list before anything is written.
      </p>
      <form id="keep" data-action={`logins/${encodeURIComponent(id)}/keep`} data-outcome="plan">
        <Field id="name" label="Name of the sample" value={name} />
        <button type="submit">Show what would be written</button>
      </form>
      <section id="plan" class="outcome" aria-label="What would be written" />
    </div>
  );
}

interface PlanProps {
  id: string;
  /** Names this plan when it is confirmed; null where something stands in the way. */
  planId: string | null;
  plan: SamplePlan;
  ticked: SamplePlan['replaced'];
}

export function Plan({ id, planId, plan, ticked }: PlanProps) {
  const { blockers, kept, replaced, event, expected, unanswered, files } = plan;
  return (
    <>
      <h2 tabindex={-1}>
        {planId === null ? 'This login cannot be kept' : `${counted(files.length, 'file')} to write`}
      </h2>
      {blockers.length > 0 && (
        <Panel title="What stands in the way" kind="is-bad">
          <List items={blockers.map((blocker) => <LongText text={blocker} />)} />
        </Panel>
      )}
      <WouldAsk id={id} requests={unanswered} />
      {event !== null && <KeptTexts kept={kept} />}
      {planId !== null && (
        <form data-action={`keeps/${planId}`} data-outcome="plan">
          <p>Write it only if none of the texts above says who the person is.</p>
          <List label="Files" items={files.map((file) => <Code text={file} />)} />
          <button type="submit" class="main">
            Write {counted(files.length, 'file')}
          </button>
        </form>
      )}
      {replaced.length > 0 && <Replaced plan={plan} ticked={ticked} />}
      {event !== null && (
        <Folded id="kept-event" title="The event and its expected response">
          <Tree id="kept" value={{ event, expected }} />
        </Folded>
      )}
    </>
  );
}

/** Only a person can tell whether a text says who somebody is. Those of standards are folded. */
function KeptTexts({ kept }: { kept: SamplePlan['kept'] }) {
  const different = [...new Map(kept.map((one) => [`${one.why} ${one.text}`, one])).values()];
  const standard = different.filter(({ isStandard }) => isStandard);
  const others = different.filter(({ isStandard }) => !isStandard);
  const table = (label: string, texts: SamplePlan['kept']) => (
    <Table
      label={label}
      heads={['Why they are kept', 'Texts']}
      rows={Array.from(
        Map.groupBy(texts, ({ why }) => why),
        ([why, ones]) => [why, <List items={ones.map(({ text }) => <LongText text={text} />)} />],
      )}
    />
  );
  return (
    <Panel title="Texts that are kept" aside={`${counted(different.length, 'text')} of the original`}>
      {others.length > 0 && table('Texts to read', others)}
      {standard.length > 0 && (
        <Folded id="standard" title={`${counted(standard.length, 'text')} of standards`}>
          {table('Texts of standards', standard)}
        </Folded>
      )}
    </Panel>
  );
}

/** The texts that are replaced. Those that are ticked stay in the next plan. */
function Replaced({ plan: { replaced, blockers }, ticked }: Pick<PlanProps, 'plan' | 'ticked'>) {
  const keyOf = ({ path, text }: SamplePlan['replaced'][number]) => JSON.stringify({ path, text });
  const allowed = new Set(ticked.map(keyOf));
  const choices = new Map([...ticked, ...replaced].map((one) => [keyOf(one), one]));
  return (
    <Panel title="Texts that are replaced" aside={counted(replaced.length, 'text')}>
      <details id="replaced" open={blockers.length > 0}>
        <summary>Let some of them stay, where the handler compares them</summary>
        <Table
          label="Texts that may stay"
          heads={['Text', 'Place']}
          rows={Array.from(choices, ([key, { text, path }]) => [
            <label>
              <input type="checkbox" name="ticked" form="keep" value={key} checked={allowed.has(key)} />{' '}
              <LongText text={text} />
            </label>,
            <Text text={path} />,
          ])}
        />
        <button type="submit" form="keep">
          Show what would be written with the ticked texts
        </button>
      </details>
    </Panel>
  );
}
