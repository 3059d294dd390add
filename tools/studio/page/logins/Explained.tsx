import type { LoginDetail } from '../../api.ts';
import { Panel } from '../parts/Panel.tsx';
import { JsonTree } from '../tree/JsonTree.tsx';
import { Fields } from './Fields.tsx';
import { Groups } from './Groups.tsx';
import { Reads } from './Reads.tsx';
import { Rules } from './Rules.tsx';
import { useMarking } from './useMarking.ts';

/** What the record has of the decision is explained beside it. */
const RECORD_ROWS = 18;

/** The event beside what became of it. */
export function Explained({ login }: { login: LoginDetail }) {
  const { event, answer, record, explanation, groupNames, isHttp } = login;
  const { fields, groups, rules, marks, isTraced } = explanation;
  const marking = useMarking(marks);
  const noFields = isTraced
    ? 'The login ended before a field was read: the steps above say where.'
    : 'No default handler and no mapping decided this login: the steps above say where it ended.';
  return (
    <div class="explained">
      <Panel title="Event" kind="is-event" aside={isHttp && <small>out of its HTTP request</small>}>
        <JsonTree value={event} label="Event" marking={marking} />
      </Panel>
      <div class="reasons">
        {fields.length > 0 && <Fields fields={fields} marking={marking} />}
        {groups && <Groups groups={groups} event={event} marking={marking} />}
        {rules.length > 0 && <Rules rules={rules} />}
        <Reads reads={login.reads} marking={marking} />
        {fields.length === 0 && login.reads === null && <p class="empty">{noFields}</p>}
      </div>
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
