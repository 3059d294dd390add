/** A login, from top to bottom: who, why, what to change; then the evidence; then, folded, the rest. */
import { type Step, stepsOf } from '../../explain/loginSteps.ts';
import { printedLines } from '../../local/process/logRecords.ts';
import { kindOf } from '../../shared/functions.ts';
import { counted, timeText } from '../../shared/readable.ts';
import { hrefTo } from '../address.ts';
import type { Detail } from '../detail.ts';
import type { SignedInClaims } from '../signIns.ts';
import type { Project } from '../studio.ts';
import { cellText } from '../texts.ts';
import { VERDICTS } from '../words.ts';
import { Differences } from './difference.tsx';
import { Evidence } from './evidence.tsx';
import {
  Action,
  At,
  Code,
  CopyButton,
  Findings,
  Folded,
  List,
  LongText,
  Panel,
  Shape,
  Sign,
  Table,
  Terms,
  Text,
} from './parts.tsx';
import { Tree } from './tree.tsx';

interface LoginProps {
  detail: Detail;
  /** That the address names, in place of the one in force. */
  handler: string | null;
  project: Project;
  /** Of a sign-in; undefined for any other login. */
  claims: SignedInClaims | undefined;
}

export function LoginView({ detail, handler, project, claims }: LoginProps) {
  const { login, findings, groupNames } = detail;
  const { answered, verdict, id } = login;
  const { event, functionName } = login.sample;
  const steps = stepsOf(answered, event, functionName);
  const told =
    verdict.kind === 'expected' ? findings : findings.filter(({ code }) => code !== answered.reason);
  const printed = printedLines(answered.output);
  // Nobody may take an answer of before for one of the files as they are.
  const isOlder = project.isOlder || project.broken.includes(login.handler?.module ?? '');
  return (
    <article class="login" id={`login-${id}`} data-reason={answered.reason} data-verdict={verdict.kind}>
      <header>
        <h1 class={`is-${detail.tone}`}>
          <Shape tone={detail.tone} />
          <Text text={detail.heading} />
        </h1>
        <Actions detail={detail} handler={handler} />
      </header>
      {isOlder && <p class="older">This answer is older than your files: see above.</p>}
      <Card detail={detail} />
      <Facts detail={detail} chosen={handler} project={project} />
      {steps.length > 0 && <Steps steps={steps} reason={answered.reason} />}
      <WouldAsk id={id} handler={handler} requests={answered.requests.missing} />
      <Changed detail={detail} />
      {told.length > 0 && (
        <Panel title="Findings">
          <Findings findings={told} />
        </Panel>
      )}
      {claims && <Claims claims={claims} />}
      <Evidence detail={detail} />
      <div>
        <Heard detail={detail} />
        {printed.length > 0 && (
          <Folded id="printed" title={`The handler printed ${counted(printed.length, 'line')}`}>
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
          <Tree id="record" value={answered.records.findLast(({ event }) => event === 'login')} />
        </Folded>
      </div>
    </article>
  );
}

/** @param handler that the address names, in place of the one in force */
function actionOf(id: string, what: string, handler: string | null): string {
  const asked = handler === null ? '' : `?${new URLSearchParams({ handler })}`;
  return `logins/${encodeURIComponent(id)}/${what}${asked}`;
}

function Actions({ detail, handler }: { detail: Detail; handler: string | null }) {
  const { login, id, handlerFile, file, command, thrownAt } = detail;
  const protocol = kindOf(login.sample.functionName) === 'OpenID' ? 'openid' : 'saml';
  const open = (what: string, title: string, label: string) => (
    <Action action={actionOf(id, `editor/${what}`, handler)} label={label} title={title} />
  );
  return (
    <div class="actions">
      {thrownAt && open('failure', `${thrownAt.file}:${thrownAt.line}`, 'Open this line')}
      {!thrownAt && handlerFile !== null && open('handler', handlerFile, 'Open handler')}
      {file !== null && open('event', file, 'Open event')}
      {command !== null && <CopyButton text={command} label="Copy command" />}
      {login.origin === 'signed in' && (
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

function Card({ detail: { card, tone, thrownAt } }: { detail: Detail }) {
  const rows = Array.from(
    Map.groupBy(card, ({ title }) => title),
    ([title, all]) =>
      [
        title,
        ...all.map(({ text, at }) => {
          if (title === 'Warning') return <Sign word={{ word: text, tone: 'stopped' }} />;
          return at === null ? <LongText text={text} /> : <At path={at} text={text} />;
        }),
      ] as const,
  );
  if (rows.length === 0 && thrownAt === null) return null;
  return (
    <section class={`card is-${tone}`} aria-label="What decided">
      <Terms rows={rows} />
      {thrownAt !== null && (
        <>
          <code>{`${thrownAt.file}:${thrownAt.line}:${thrownAt.column}`}</code>
          <pre>
            {thrownAt.source.map(({ number, text }) => (
              <span class={number === thrownAt.line ? 'is-thrower' : ''}>
                {`${number === thrownAt.line ? '>' : ' '} ${String(number).padStart(4)}  ${text}\n`}
              </span>
            ))}
          </pre>
        </>
      )}
    </section>
  );
}

/** One grey line: how it was answered. */
function Facts({
  detail,
  chosen,
  project,
}: Pick<LoginProps, 'detail' | 'project'> & { chosen: string | null }) {
  const { id, login, frozenAt } = detail;
  const { origin, sample, verdict, isLive, answered, liveReason } = login;
  const { checks = [] } = project.functions.find(({ name }) => name === sample.functionName) ?? {};
  const inForce = answered.handler || login.handler?.given || 'no handler';
  const facts = [
    <form data-address={hrefTo('logins', id)}>
      <label>
        Answered by{' '}
        <select name="handler">
          <option value="">{chosen === null ? inForce : 'the handler in force'}</option>
          {project.handlers.map((other) => (
            <option value={other} selected={other === chosen}>
              {other}
            </option>
          ))}
        </select>
      </label>
    </form>,
    isLive ? checks.join(', ') : 'checks off',
    frozenAt === null ? 'at the real time' : `at its own time, ${timeText(frozenAt)}`,
    `stage ${project.stage}`,
    origin === 'sample' && <Sign word={VERDICTS[verdict.kind]} />,
    liveReason !== null && liveReason !== answered.reason && `${liveReason} when it came`,
  ];
  return (
    <div class="facts">
      {facts.filter(Boolean).map((fact) => (
        <span>{fact}</span>
      ))}
    </div>
  );
}

const SIGNS = { passed: '✓', ended: '✕', 'not reached': '○' } as const;

/** Where a login ended that did not come to its handler. */
function Steps({ steps, reason }: { steps: readonly Step[]; reason: string }) {
  return (
    <p class="facts">
      {steps.map(({ name, state }) => (
        <span
          class={`is-${state}`}
          title={state}
        >{`${SIGNS[state]} ${name} ${state === 'ended' ? reason : ''}`}</span>
      ))}
    </p>
  );
}

function Changed({ detail: { login, groupNames } }: { detail: Detail }) {
  const { verdict, changes } = login;
  const expected = verdict.kind === 'differs' ? verdict.differences : [];
  const columns = [
    { title: 'Expected', differences: expected },
    { title: 'Before', differences: changes },
  ].filter(({ differences }) => differences.length > 0);
  if (columns.length === 0) return null;
  return (
    <Panel title={expected.length > 0 ? 'Not the expected response' : 'Changed by the last save'}>
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
  return (
    <Panel title="The handler asks other systems" kind="is-stopped">
      <Requests requests={requests} />
      <Action action={actionOf(id, 'ask', handler)} label="Send these requests" />
      <p class="note">Once: later answers use what came back.</p>
    </Panel>
  );
}

/** What was sent once, and how its responses are kept for longer. */
function Heard({ detail: { login, recording } }: { detail: Detail }) {
  if (login.heard.length === 0) return null;
  return (
    <Folded id="heard" title="Other systems answered">
      <Requests requests={login.heard.map(({ request }) => request)} />
      <p class="note">
        These responses stay in memory until <code>npm start</code> ends, and answer this login from now on.
      </p>
      {recording !== null && <CopyButton text={recording} label="Copy the command that records them" />}
    </Folded>
  );
}

/** One that was tried again is listed once. */
function Requests({ requests }: { requests: readonly string[] }) {
  return <List items={[...new Set(requests)].map((one) => <Code text={one} />)} />;
}

/** What UserInfo says of another form than the ID token, which the event has; the rest is folded. */
function Claims({ claims: { idToken, userInfo, sources } }: { claims: SignedInClaims }) {
  const { differing = [], alike = [] } = Object.groupBy(sources, (source) =>
    !source.idToken || (source.userInfo && !source.isSame) ? 'differing' : 'alike',
  );
  const table = (label: string, of: typeof sources) => (
    <Table
      label={label}
      heads={['Claim', 'In the ID token', 'In UserInfo']}
      rows={of.map(({ name, isSame, ...has }) => [
        <LongText text={name} />,
        <LongText text={cellText(has.idToken ? idToken[name] : undefined)} />,
        isSame ? 'the same' : <LongText text={cellText(has.userInfo ? userInfo?.[name] : undefined)} />,
      ])}
    />
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
