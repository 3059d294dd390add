/** The page for an address: what the stream sends of it, and when. */
import type { JSX } from 'hono/jsx/jsx-runtime';
import { mappingCoverages } from '../explain/coverage.ts';
import { issuerOf, proposedName } from '../keep/plan.ts';
import { eventInside } from '../local/httpEvent.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { type Address, addressIn } from './address.ts';
import { comparisonOf, handlerNamed } from './comparison.ts';
import { detailOf } from './detail.ts';
import type { Login } from './login.ts';
import { openedFirst, rowOf } from './row.ts';
import type { SignIns } from './signIns.ts';
import type { Project, StudioState } from './studio.ts';
import { CompareView } from './views/compare.tsx';
import { KeepView } from './views/keep.tsx';
import { LoginList } from './views/list.tsx';
import { LoginView } from './views/login.tsx';
import { PasteView } from './views/paste.tsx';
import { NoLoginView, SignInView } from './views/signIn.tsx';
import { Top } from './views/top.tsx';

export const PARTS = ['top', 'list', 'main'] as const;

/** A part of the page is HTML. */
export interface Page extends Record<(typeof PARTS)[number], string> {
  /** The view, and what it is of: a page with the same key is an update. */
  key: string;
}

interface View {
  key: string;
  main: JSX.Element;
  /** Of the login that is shown. */
  openId?: string;
}

export async function pageAt(at: string, state: StudioState, signIns: SignIns): Promise<Page> {
  const address = addressIn(at);
  const project = state.project();
  const view = await VIEWS[address.view](address, { state, signIns, project }).catch((error) => {
    if (!(error instanceof UnusableInput)) throw error;
    return told('This cannot be shown', error.message);
  });
  const { key, main, openId = null } = view;
  const list = address.view === 'logins' && <LoginList address={address} openId={openId} state={state} />;
  return {
    key: `${address.view} ${key}`,
    top: String(<Top view={address.view} rows={state.logins.all().map(rowOf)} project={project} />),
    list: String(list || ''),
    main: String(main),
  };
}

type Around = { state: StudioState; signIns: SignIns; project: Project };

const VIEWS: Readonly<Record<Address['view'], (address: Address, around: Around) => Promise<View>>> = {
  paste: async () => ({ key: '', main: <PasteView /> }),

  async logins(address, { state, signIns, project }) {
    const { logins } = state;
    const login = address.id === null ? openedFirst(logins.all())?.login : logins.get(address.id);
    if (!login) return nothingAt(address, state);
    logins.see(login);
    const detail = await detailOf(login, state);
    return {
      key: login.id,
      main: <LoginView detail={detail} project={project} claims={signIns.claimsOf(login)} />,
      openId: login.id,
    };
  },

  async keep(address, { state }) {
    const login = state.logins.get(address.id ?? '');
    if (!login) return nothingAt(address, state);
    return { key: login.id, main: <KeepView row={rowOf(login)} name={nameFor(login)} /> };
  },

  async compare({ id, query }, { state, project }) {
    const fn = project.functions.find(({ name }) => name === id) ?? project.functions[0];
    if (!fn) throw new Error('expected a project with a function');
    const its = state.logins.all().filter(({ sample }) => sample.functionName === fn.name);
    const other = handlerNamed(query.get('with'));
    const comparison = other === undefined ? null : await comparisonOf(state.logins, its, other);
    const given = { project, fn, comparison, coverages: mappingCoverages(its) };
    const main = <CompareView {...given} />;
    return { key: `${fn.name} ${query.get('with')}`, main };
  },

  async 'sign-in'({ id, query }, { signIns }) {
    const result = id === null ? undefined : signIns.result(id);
    if (result) return { key: `result ${id}`, main: <NoLoginView result={result} /> };
    const registration = await signIns.registration(query.get('protocol'));
    const { protocol } = registration;
    const given = { provider: query.get('provider') ?? '', registration, last: signIns.last(protocol) };
    return { key: protocol, main: <SignInView {...given} /> };
  },
};

/** Before the first answers, and for a login that is gone. */
function nothingAt({ id }: Address, { logins }: StudioState): View {
  const isRunning = !logins.isAnswered;
  const text = isRunning
    ? 'Running the sample events …'
    : 'Logins that are not stored last until npm start ends. Choose one of the list, sign in, or paste one.';
  return told(isRunning || id === null ? 'Login studio' : 'This login is not in the list', text);
}

function told(title: string, text: string): View {
  const main = (
    <div class="alone">
      <h1>{title}</h1>
      <p role="status">{text}</p>
    </div>
  );
  return { key: `told ${title}`, main };
}

/** Of no sample that is there, and without a text of the person. */
function nameFor({ answered: { reason }, sample: { functionName, event } }: Login): string {
  return proposedName({ functionName, issuer: issuerOf(eventInside(event)), reason });
}
