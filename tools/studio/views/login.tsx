/** A login, from top to bottom: who, why, what to change; then the evidence; then, folded, the rest. */
import type { CardRow } from '../../explain/card.ts';
import { kindOf } from '../../shared/functions.ts';
import { counted, timeText } from '../../shared/readable.ts';
import { hrefTo } from '../address.ts';
import type { Detail } from '../detail.ts';
import type { SignedInClaims } from '../signIns.ts';
import type { Project } from '../studio.ts';
import { cellText, VERDICTS } from '../words.ts';
import { Changed } from './difference.tsx';
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
  WithCode,
} from './parts.tsx';
import { Tree } from './tree.tsx';

interface LoginProps {
  detail: Detail;
  project: Project;
  claims: SignedInClaims | undefined;
}

export function LoginView({ detail, project, claims }: LoginProps) {
  const { login, findings, tone } = detail;
  const { answered, verdict, id } = login;
  const told =
    verdict.kind === 'expected' ? findings : findings.filter(({ code }) => code !== answered.reason);
  return (
    <article class="login" id={`login-${id}`} data-reason={answered.reason} data-verdict={verdict.kind}>
      <header>
        <h1 class={`is-${tone}`}>
          <Shape tone={tone} />
          <Text text={detail.heading} />
        </h1>
        <Actions detail={detail} />
      </header>
      <Card detail={detail} />
      <Facts detail={detail} project={project} />
      <WouldAsk id={id} requests={answered.requests.missing} />
      <Changed detail={detail} />
      {told.length > 0 && (
        <Panel title="Findings">
          <Findings findings={told} />
        </Panel>
      )}
      {claims && <Claims claims={claims} />}
      <Evidence detail={detail} />
      <div>
        <Folded id="response" title="Response">
          <Tree id="response" value={answered.response} />
        </Folded>
        <Folded id="record" title="Log record">
          <Tree id="record" value={answered.records.findLast(({ event }) => event === 'login')} />
        </Folded>
      </div>
    </article>
  );
}

function actionOf(id: string, what: string): string {
  return `logins/${encodeURIComponent(id)}/${what}`;
}

function Actions({ detail }: { detail: Detail }) {
  const { login, id, files, command } = detail;
  const protocol = kindOf(login.sample.functionName) === 'OpenID' ? 'openid' : 'saml';
  return (
    <div class="actions">
      {Array.from(files.keys(), (what) => (
        <Action
          action={actionOf(id, `editor/${what}`)}
          label={what === 'line' ? 'Open this line' : `Open ${what}`}
        />
      ))}
      {command !== null && <CopyButton text={command} label="Copy command" />}
      {login.origin === 'signed in' && (
        <a class="button" href={hrefTo('sign-in', null, { protocol })}>
          Sign in again
        </a>
      )}
      <a class="button" href={hrefTo('keep', id)}>
        Keep as a sample
      </a>
    </div>
  );
}

function Card({ detail: { card, tone, thrownAt } }: { detail: Detail }) {
  const rows = Map.groupBy(card, ({ title }) => title);
  if (rows.size === 0 && thrownAt === null) return null;
  return (
    <section class={`card is-${tone}`} aria-label="What decided">
      <Terms rows={Array.from(rows, ([title, all]) => [title, ...all.map(cardText)])} />
      {thrownAt !== null && (
        <>
          <code>{`${thrownAt.file}:${thrownAt.line}:${thrownAt.column}`}</code>
          <pre>
            {thrownAt.source.map(
              ({ number, text }) => `${number === thrownAt.line ? '>' : ' '} ${number}  ${text}\n`,
            )}
          </pre>
        </>
      )}
    </section>
  );
}

function cardText({ title, text, at }: CardRow) {
  if (title === 'Warning') return <Sign word={text} tone="stopped" />;
  return at === null ? <WithCode text={text} /> : <At path={at} text={text} />;
}

/** All in one line: another one for an answer that is older would move the page at each save. */
function Facts({ detail, project: { functions, stage, isOlder } }: Omit<LoginProps, 'claims'>) {
  const { frozenAt, login, isLive, outcome, whenItCame } = detail;
  const { origin, sample, verdict, answered, handler } = login;
  const given = answered.handler || handler?.given || 'no handler';
  const { checks = [] } = functions.find(({ name }) => name === sample.functionName) ?? {};
  const facts = [
    `Answered by ${given === 'default' ? 'the default handler' : given}`,
    isLive ? checks.join(', ') : 'checks off',
    frozenAt === null ? 'at the real time' : `at its own time, ${timeText(frozenAt)}`,
    `stage ${stage}`,
    ...(whenItCame ? [whenItCame] : []),
  ];
  return (
    <p class="facts">
      <Text text={facts.join(' · ')} />{' '}
      {origin === 'sample' && outcome !== 'failed' && <Sign {...VERDICTS[verdict.kind]} />}{' '}
      {isOlder(handler?.module) && <Sign word="This answer is older than your files" tone="stopped" />}
    </p>
  );
}

/** Requests to real systems wait for a click: a handler would send them again at every change of a file. */
export function WouldAsk({ id, requests }: { id: string; requests: readonly string[] }) {
  if (requests.length === 0) return null;
  return (
    <Panel title="The handler asks other systems" kind="is-stopped">
      <List items={[...new Set(requests)].map((one) => <Code text={one} />)} />
      <Action action={actionOf(id, 'ask')} label="Send these requests" />
      <p class="note">
        Once: until <code>npm start</code> ends, later answers use what came back.
      </p>
    </Panel>
  );
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
      {differing.length > 0 && table('Claims that differ', differing)}
      <Folded id="claims" title={counted(alike.length, 'claim does not differ', 'claims do not differ')}>
        {table('Other claims', alike)}
      </Folded>
    </Panel>
  );
}
