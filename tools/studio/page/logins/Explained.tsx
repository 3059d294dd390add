import { useMemo } from 'preact/hooks';
import type { LoginDetail } from '../../api.ts';
import { Panel } from '../parts/Panel.tsx';
import { JsonTree } from '../tree/JsonTree.tsx';
import { Fields } from './Fields.tsx';
import { Groups } from './Groups.tsx';
import { shownPaths } from './marks.ts';
import { Reads } from './Reads.tsx';
import { Rules } from './Rules.tsx';
import type { Marking } from './useMarking.ts';

/** What the record has of the decision is explained beside it. */
const RECORD_ROWS = 18;

/** What was made of the event, the event, and what became of it. */
export function Explained({ login, marking }: { login: LoginDetail; marking: Marking }) {
  const { event, arrived, answer, record, explanation, groupNames, isHttp, ruleTexts } = login;
  const { fields, groups, rules } = explanation;
  const shown = useMemo(() => shownPaths(event, marking.marks), [event, marking.marks]);
  return (
    <div class="explained">
      <div class="reasons">
        {fields.length > 0 && <Fields fields={fields} marking={marking} />}
        {groups && <Groups groups={groups} marking={marking} />}
        <Rules rules={rules} texts={ruleTexts} />
        <Reads reads={login.reads} marking={marking} />
      </div>
      <Panel title="Event" kind="is-event" aside={isHttp && <small>out of its HTTP request</small>}>
        {event === undefined ? (
          <p class="empty">There is none in it.</p>
        ) : (
          <>
            <JsonTree
              key={JSON.stringify(shown)}
              value={event}
              label="Event"
              marking={marking}
              shown={shown}
            />
            <details>
              <summary>As it arrived</summary>
              <JsonTree value={arrived} label="Event as it arrived" />
            </details>
          </>
        )}
      </Panel>
      <div class="results">
        <Panel title="Response">
          {answer === null ? (
            <p class="empty">The function gave none.</p>
          ) : (
            <JsonTree value={answer} label="Response" names={groupNames} />
          )}
        </Panel>
        <Panel title="Log record">
          {record === null ? (
            <p class="empty">There is none.</p>
          ) : (
            <JsonTree value={record} label="Log record" rowsAtFirst={RECORD_ROWS} />
          )}
        </Panel>
      </div>
    </div>
  );
}
