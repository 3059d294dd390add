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
import { escaped } from './texts.ts';
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
  title: string;
}

interface View {
  key: string;
  title: string;
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
  const { key, title, main, openId = null } = view;
  const isList = address.view === 'logins';
  return {
    key: `${address.view} ${key}`,
    title: `${escaped(title)} · Login studio`,
    top: String(<Top address={address} state={state} project={project} />),
    list: isList ? String(<LoginList address={address} openId={openId} state={state} />) : '',
    main: String(main),
  };
}

interface Around {
  state: StudioState;
  signIns: SignIns;
  project: Project;
}

const VIEWS: Readonly<Record<Address['view'], (address: Address, around: Around) => Promise<View>>> = {
  paste: async () => ({ key: '', title: 'Paste', main: <PasteView /> }),

  async logins(address, { state, signIns, project }) {
    const { logins } = state;
    const login = address.id === null ? openedFirst(logins.all())?.login : logins.get(address.id);
    if (!login) return nothingAt(address, state);
    logins.see(login);
    const name = address.query.get('handler');
    const handler = handlerNamed(name);
    const detail = await detailOf(
      handler === undefined ? login : await logins.answeredBy(login, handler),
      state,
    );
    const claims = signIns.claimsOf(login);
    return {
      key: `${login.id} ${name ?? ''}`,
      title: rowOf(login).title,
      main: <LoginView detail={detail} handler={name} project={project} claims={claims} />,
      openId: login.id,
    };
  },

  async keep(address, { state }) {
    const login = state.logins.get(address.id ?? '');
    if (!login) return nothingAt(address, state);
    const main = <KeepView row={rowOf(login)} name={nameFor(login)} />;
    return { key: login.id, title: 'Keep as a sample', main };
  },

  async compare({ id, query }, { state, project }) {
    const fn = project.functions.find(({ name }) => name === id) ?? project.functions[0];
    if (!fn) throw new Error('expected a project with a function');
    const its = state.logins.all().filter(({ sample }) => sample.functionName === fn.name);
    const other = handlerNamed(query.get('with'));
    const comparison = other === undefined ? null : await comparisonOf(state.logins, its, other);
    const coverages = query.get('coverage') === 'shown' ? mappingCoverages(its) : null;
    const main = <CompareView project={project} fn={fn} comparison={comparison} coverages={coverages} />;
    return { key: `${fn.name} ${query.get('with')}`, title: 'Compare', main };
  },

  async 'sign-in'({ id, query }, { signIns }) {
    const title = 'Sign in';
    const result = id === null ? undefined : signIns.result(id);
    if (result) return { key: `result ${id}`, title, main: <NoLoginView result={result} /> };
    const registration = await signIns.registration(query.get('protocol'));
    const { protocol } = registration;
    const given = { provider: query.get('provider') ?? '', registration, last: signIns.last(protocol) };
    return { key: protocol, title, main: <SignInView {...given} /> };
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
  return { key: `told ${title}`, title, main };
}

/** Of no sample that is there, and without a text of the person. */
function nameFor({ answered: { reason }, sample: { functionName, event } }: Login): string {
  return proposedName({ functionName, issuer: issuerOf(eventInside(event)), reason });
}
