/** A login, from top to bottom: who, why, what to change; then the evidence; then, folded, the rest. */
import type { Child } from 'hono/jsx';
import { placeText } from '../../explain/places.ts';
import { kindOf } from '../../shared/functions.ts';
import { counted, timeText } from '../../shared/readable.ts';
import { type Address, hrefTo } from '../address.ts';
import type { Detail } from '../detail.ts';
import type { SignedInClaim } from '../signIns.ts';
import type { Project } from '../studio.ts';
import { cellText } from '../texts.ts';
import { ORIGINS, type Protocol, STEPS, VERDICTS } from '../words.ts';
import { type DifferenceColumn, Differences } from './difference.tsx';
import { Evidence } from './evidence.tsx';
import {
  Action,
  At,
  Cell,
  Code,
  CopyButton,
  Findings,
  Folded,
  LongText,
  Panel,
  RowHead,
  Shape,
  Sign,
  Table,
  Text,
} from './parts.tsx';
import { Tree } from './tree.tsx';

export interface LoginProps {
  address: Address;
  detail: Detail;
  project: Project;
  /** Of a sign-in; empty for any other login. */
  claims: readonly SignedInClaim[];
}

export function LoginView({ address, detail, project, claims }: LoginProps) {
  const { login, explanation, failure, findings, printed, groupNames } = detail;
  const { answered, verdict, id } = login;
  const isEnded = explanation.steps.some(
    ({ name, state }) => state !== 'passed' && !['handler', 'response', 'not reached'].includes(name),
  );
  const told =
    verdict.kind === 'expected' ? findings : findings.filter(({ code }) => code !== answered.reason);
  return (
    <article class="login" id={`login-${id}`} data-reason={answered.reason} data-verdict={verdict.kind}>
      <header>
        <h1 class={`is-${detail.tone}`}>
          <Shape tone={detail.tone} />
          <Text text={detail.heading} />
        </h1>
        <Actions detail={detail} address={address} />
      </header>
      <Older detail={detail} project={project} />
      <Card detail={detail} />
      {failure && <Failure detail={detail} failure={failure} />}
      <Facts detail={detail} address={address} project={project} />
      {isEnded && <Steps detail={detail} />}
      <WouldAsk id={id} handler={address.query.get('handler')} requests={answered.requests.missing} />
      <Changed detail={detail} />
      {told.length > 0 && (
        <Panel title="Findings">
          <Findings findings={told} />
        </Panel>
      )}
      {claims.length > 0 && <Claims claims={claims} />}
      <Evidence detail={detail} />
      <div>
        <Heard detail={detail} />
        {printed.length > 0 && (
          <Folded id="printed" title={`The handler printed ${printed.length} lines`}>
            <pre>
              {printed.map((line) => (
                <div>
                  <Text text={line} />
                </div>
              ))}
            </pre>
          </Folded>
        )}
        <Folded id="response" title="Response">
          <Tree id="response" value={answered.response} names={groupNames} />
        </Folded>
        <Folded id="record" title="Log record">
          <Tree id="record" value={detail.record} />
        </Folded>
      </div>
    </article>
  );
}

function Actions({
  detail: { login, handlerFile, file, command },
  address,
}: {
  detail: Detail;
  address: Address;
}) {
  const { id, origin, sample } = login;
  const handler = address.query.get('handler');
  const query = handler === null ? '' : `?${new URLSearchParams({ handler })}`;
  const protocol: Protocol = kindOf(sample.functionName) === 'OpenID' ? 'openid' : 'saml';
  const open = (what: string, title: string, label: string) => (
    <Action action={`logins/${encodeURIComponent(id)}/editor/${what}${query}`} label={label} title={title} />
  );
  return (
    <div class="actions">
      {handlerFile !== null && open('handler', handlerFile, 'Open the handler')}
      {file !== null && open('event', file, 'Open the event')}
      {command !== null && <CopyButton text={command} label="Copy the command" />}
      {origin === 'signed in' && (
        <Action
          action={`sign-in/${protocol}`}
          label="Sign in as somebody else"
          fields={{ again: 'yes', somebodyElse: 'yes' }}
        />
      )}
      <a class="button" href={hrefTo('keep', id)}>
        Keep as a sample
      </a>
    </div>
  );
}

/** Nobody may take an answer of before for one of the files as they are. */
function Older({ detail, project }: { detail: Detail; project: Project }) {
  const isBroken = project.broken.includes(detail.login.handler?.module ?? '');
  if (!isBroken && !project.isOlder) return null;
  return <p class="older">This answer is older than your files: see above.</p>;
}

function Card({ detail }: { detail: Detail }) {
  const rows = [...Map.groupBy(detail.card, ({ title }) => title)];
  if (rows.length === 0) return null;
  return (
    <section class={`card is-${detail.tone}`} aria-label="What decided">
      <dl>
        {rows.map(([title, all]) => (
          <div class={title === 'Warning' ? 'is-stopped' : ''}>
            <dt>{title}</dt>
            {all.map(({ text, at }) => (
              <dd>
                <LongText text={text} />
                {at !== null && <At path={at} text={placeText(at)} />}
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </section>
  );
}

function Failure({
  detail: { id },
  failure: { text, place },
}: {
  detail: Detail;
  failure: NonNullable<Detail['failure']>;
}) {
  return (
    <Panel title="The function failed" kind="is-bad">
      <LongText text={text} />
      {place && (
        <>
          <pre class="source">
            {place.source.map((line) => (
              <span class={line.number === place.line ? 'is-thrower' : ''}>
                {`${line.number === place.line ? '>' : ' '} ${String(line.number).padStart(4)}  ${line.text}\n`}
              </span>
            ))}
          </pre>
          <p>
            <code>
              {place.file}:{place.line}:{place.column}
            </code>
          </p>
          <Action action={`logins/${encodeURIComponent(id)}/editor/failure`} label="Open this line" />
        </>
      )}
    </Panel>
  );
}

/** One grey line: what it is, and how it was answered. */
function Facts({ detail, address, project }: { detail: Detail; address: Address; project: Project }) {
  const { login, frozenAt } = detail;
  const { id, origin, sample, verdict, isFresh, handler, answered, cameAs } = login;
  const fn = project.functions.find(({ name }) => name === sample.functionName);
  const others = ['default', ...(fn?.handlers ?? [])];
  const chosen = address.query.get('handler') ?? '';
  const inForce = answered.handler || handler?.given || 'no handler';
  const checks = Object.entries(fn?.checks ?? {}).map(([setting, value]) => `${setting}=${value}`);
  const facts: Child[] = [
    <Text text={origin === 'sample' ? `${ORIGINS[origin]} ${sample.name}` : ORIGINS[origin]} />,
    kindOf(sample.functionName),
    origin === 'sample' && <Sign word={VERDICTS[verdict.kind]} />,
    cameAs !== null && cameAs !== answered.reason && `${cameAs} when it came`,
    <form data-address={hrefTo('logins', id)}>
      <label>
        Answered by{' '}
        <select name="handler">
          <option value="">{chosen === '' ? inForce : 'the handler in force'}</option>
          {others.map((other) => (
            <option value={other} selected={other === chosen}>
              {other}
            </option>
          ))}
        </select>
      </label>
    </form>,
    isFresh ? checks.join(', ') : 'checks off',
    frozenAt === null ? 'at the real time' : `at its own time, ${timeText(frozenAt)}`,
    `stage ${project.stage}`,
  ];
  return (
    <div class="facts">
      {facts.filter(Boolean).map((fact) => (
        <span>{fact}</span>
      ))}
    </div>
  );
}

const SIGNS = { passed: '✓', refused: '–', ended: '✕', 'not reached': '·' } as const;

/** Where a login ended that did not come to its handler. */
function Steps({ detail: { explanation } }: { detail: Detail }) {
  return (
    <ol class="steps" aria-label="Path of the login">
      {explanation.steps.map(({ name, state, note }) => (
        <li class={`is-${state.replace(' ', '-')}`}>
          <span aria-hidden="true">{SIGNS[state]} </span>
          {STEPS[name]}
          {state !== 'passed' && <small> {note === '' || state === 'not reached' ? state : note}</small>}
        </li>
      ))}
    </ol>
  );
}

function Changed({ detail: { login, differences, groupNames } }: { detail: Detail }) {
  const columns: DifferenceColumn[] = [
    { title: 'Expected', differences },
    { title: 'Before', differences: login.changes },
  ].filter((column) => column.differences.length > 0);
  if (columns.length === 0) return null;
  const title = differences.length > 0 ? 'Not the expected response' : 'Changed by the last save';
  return (
    <Panel title={title}>
      <Differences label="What differs" columns={columns} last="Now" names={groupNames} />
    </Panel>
  );
}

interface WouldAskProps {
  id: string;
  /** That the address names, in place of the one in force. */
  handler: string | null;
  requests: readonly string[];
}

/** Requests to real systems wait for a click: a handler would send them again at every change of a file. */
export function WouldAsk({ id, handler, requests }: WouldAskProps) {
  if (requests.length === 0) return null;
  const query = handler === null ? '' : `?${new URLSearchParams({ handler })}`;
  return (
    <Panel title="The handler asks other systems" kind="is-stopped">
      <Requests requests={requests} />
      <Action action={`logins/${encodeURIComponent(id)}/ask${query}`} label="Send these requests" />
      <p class="note">Once: later answers use what came back.</p>
    </Panel>
  );
}

/** What was sent once, and how its responses are kept for longer. */
function Heard({ detail: { login, recording } }: { detail: Detail }) {
  const requests = login.heard.map(({ request }) => request);
  if (requests.length === 0) return null;
  return (
    <Folded id="heard" title="Other systems answered">
      <Requests requests={requests} />
      <p class="note">
        These responses stay in memory until <code>npm start</code> ends, and answer this login from now on.
      </p>
      {recording !== null && <CopyButton text={recording} label="Copy the command that records them" />}
    </Folded>
  );
}

/** One that was tried again is listed once. */
function Requests({ requests }: { requests: readonly string[] }) {
  return (
    <ul>
      {[...new Set(requests)].map((one) => (
        <li>
          <Code text={one} />
        </li>
      ))}
    </ul>
  );
}

/** What UserInfo says of another form than the ID token, which the event has; the rest is folded. */
function Claims({ claims }: { claims: readonly SignedInClaim[] }) {
  const { differing = [], alike = [] } = Object.groupBy(claims, ({ inToken, inUserInfo, isSame }) =>
    inToken === undefined || (inUserInfo !== undefined && !isSame) ? 'differing' : 'alike',
  );
  const table = (label: string, rows: readonly SignedInClaim[]) => (
    <Table label={label} heads={['Claim', 'In the ID token', 'In UserInfo']}>
      {rows.map(({ name, inToken, inUserInfo, isSame }) => (
        <tr>
          <RowHead text={name} />
          <Cell text={cellText(inToken)} />
          <td>{isSame ? 'the same' : <LongText text={cellText(inUserInfo)} />}</td>
        </tr>
      ))}
    </Table>
  );
  return (
    <Panel title="ID token and UserInfo">
      {differing.length > 0 ? table('Claims that differ', differing) : <p>They do not differ.</p>}
      <Folded id="claims" title={counted(alike.length, 'other claim')}>
        {table('Other claims', alike)}
      </Folded>
    </Panel>
  );
}
