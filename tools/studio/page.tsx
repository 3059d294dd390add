/** The page for an address: what the stream sends of it, and when. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { mappingCoverages } from '../explain/coverage.ts';
import { filesOf, issuerOf, proposedName } from '../keep/plan.ts';
import { EVENTS } from '../local/events.ts';
import { eventInside } from '../local/httpEvent.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { type Address, addressIn } from './address.ts';
import { comparisonOf, handlerNamed } from './comparison.ts';
import { detailOf } from './detail.ts';
import type { Login } from './login.ts';
import { openedFirst, rowOf } from './row.ts';
import type { SignIns } from './signIns.ts';
import type { Project, StudioState } from './studio.ts';
import { escaped } from './texts.ts';
import { CompareView } from './views/compare.tsx';
import { KeepView } from './views/keep.tsx';
import { List } from './views/list.tsx';
import { LoginView } from './views/login.tsx';
import { PasteView } from './views/paste.tsx';
import { SignedInView, SignInView } from './views/signIn.tsx';
import { Top } from './views/top.tsx';
import type { Protocol } from './words.ts';

export const PARTS = ['top', 'list', 'main'] as const;

/** A part of the page is HTML. */
export interface Page extends Record<(typeof PARTS)[number], string> {
  /** The view, and what it is of: a page with the same key is an update. */
  key: string;
  title: string;
}

interface View {
  key: string;
  title: string;
  main: JSX.Element;
  /** Of the login that is shown. */
  openId: string | null;
}

export async function pageAt(at: string, state: StudioState, signIns: SignIns): Promise<Page> {
  const address = addressIn(at);
  const project = await state.project();
  const { key, title, main, openId } = await viewAt(address, { state, signIns, project }).catch((error) => {
    if (!(error instanceof UnusableInput)) throw error;
    return told('This cannot be shown', error.message);
  });
  const isList = address.view === 'logins';
  return {
    key: `${address.view} ${key}`,
    title: `${escaped(title)} · Login studio`,
    top: String(<Top address={address} state={state} project={project} />),
    list: isList ? String(<List address={address} openId={openId} state={state} />) : '',
    main: String(main),
  };
}

interface Around {
  state: StudioState;
  signIns: SignIns;
  project: Project;
}

async function viewAt(address: Address, around: Around): Promise<View> {
  switch (address.view) {
    case 'paste':
      return { key: '', title: 'Paste', main: <PasteView />, openId: null };
    case 'sign-in':
      return signInAt(address, around);
    case 'keep':
      return keepAt(address, around);
    case 'compare':
      return compareAt(address, around);
    case 'logins':
      return loginAt(address, around);
  }
}

async function loginAt(address: Address, { state, signIns, project }: Around): Promise<View> {
  const { logins } = state;
  const login = address.id === null ? openedFirst(logins.all())?.login : logins.get(address.id);
  if (!login) return nothingAt(address, state);
  logins.see(login);
  const name = address.query.get('handler');
  const handler = name === null ? undefined : await handlerNamed(name, login.sample.functionName);
  const answered = handler === undefined ? login : await logins.answeredBy(login, handler);
  const detail = await detailOf(answered, state);
  return {
    key: `${login.id} ${name ?? ''}`,
    title: rowOf(login).title,
    main: <LoginView address={address} detail={detail} project={project} claims={signIns.claimsOf(login)} />,
    openId: login.id,
  };
}

/** Before the first answers, and for a login that is gone. */
function nothingAt({ id }: Address, { logins }: StudioState): View {
  const isRunning = !logins.isAnswered;
  const text = isRunning
    ? 'Running the sample events …'
    : 'Logins that are not stored last until npm start ends. Choose one of the list, sign in, or paste one.';
  const title = isRunning || id === null ? 'Login studio' : 'This login is not in the list';
  return told(title, text);
}

function told(title: string, text: string): View {
  const main = (
    <div class="alone">
      <h1>{title}</h1>
      <p role="status">{text}</p>
    </div>
  );
  return { key: `told ${title}`, title, main, openId: null };
}

function keepAt(address: Address, { state }: Around): View {
  const login = state.logins.get(address.id ?? '');
  if (!login) return nothingAt(address, state);
  const main = <KeepView row={rowOf(login)} name={nameFor(login)} />;
  return { key: login.id, title: 'Keep as a sample', main, openId: null };
}

/** Of no sample that is there, and without a text of the person. */
function nameFor(login: Login): string {
  const { answered, sample } = login;
  const { functionName, event } = sample;
  const folder = join(EVENTS, functionName);
  const isTaken = (name: string) => filesOf({ name, folder }, true).some((file) => existsSync(file));
  const { rules } = rowOf(login).explanation;
  return proposedName({ functionName, issuer: issuerOf(eventInside(event)), answered, rules }, isTaken);
}

async function compareAt({ id, query }: Address, { state, project }: Around): Promise<View> {
  const fn = project.functions.find(({ name }) => name === id) ?? project.functions[0];
  if (!fn) throw new Error('expected a project with a function');
  const its = state.logins.all().filter(({ sample }) => sample.functionName === fn.name);
  const other = await handlerNamed(query.get('with') ?? '', fn.name);
  const [comparison, coverages] = await Promise.all([
    other === undefined ? null : comparisonOf(state.logins, its, other),
    query.get('coverage') === 'shown' ? mappingCoverages(its, state.engine) : null,
  ]);
  const main = <CompareView project={project} fn={fn} comparison={comparison} coverages={coverages} />;
  return { key: `${fn.name} ${query.get('with')}`, title: 'Compare', main, openId: null };
}

async function signInAt({ id, query }: Address, { signIns }: Around): Promise<View> {
  const result = id === null ? undefined : signIns.result(id);
  if (result)
    return { key: `result ${id}`, title: 'Sign in', main: <SignedInView result={result} />, openId: null };
  const registration = await signIns.registration();
  const { protocols } = registration;
  const asked = protocols.find((one) => one === query.get('protocol'));
  const protocol: Protocol = asked ?? protocols[0] ?? 'openid';
  const provider = query.get('provider') ?? '';
  const main = (
    <SignInView
      protocol={protocol}
      provider={provider}
      registration={registration}
      last={signIns.last(protocol)}
    />
  );
  return { key: protocol, title: 'Sign in', main, openId: null };
}
