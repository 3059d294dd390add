import type { SignInResult, SignInStarted } from '../../api.ts';
import { Refused, type Request } from '../connection/request.ts';
import { type Action, useAction } from '../connection/useAction.ts';
import { bodyOf, type Draft, sizeProblem } from './draft.ts';
import { webAddress } from './opening.ts';

export interface Outcome {
  /** What was started with: another draft makes it void. */
  draft: Draft;
  /** The provider's login page; null where the sign-in did not start. */
  address: URL | null;
  warning: string | null;
  refused: SignInResult['refused'];
}

type Given = [draft: Draft, somebodyElse?: boolean];

const NOT_OF_THE_WEB =
  "The provider's login page has an address that is not http or https. Check authorization_endpoint of its discovery document, or SingleSignOnService of its metadata.";

/** Starts a sign-in, and leads the tab to the provider where nothing speaks against it. */
export function useStart(request: Request): Action<Given, Outcome> {
  return useAction(async (...given) => {
    const outcome = await start(request, ...given);
    if (outcome.address && outcome.warning === null) location.assign(outcome.address.href);
    return outcome;
  });
}

async function start(request: Request, ...[draft, somebodyElse]: Given): Promise<Outcome> {
  const refused = (ours: string, theirs: string | null = null): Outcome => ({
    draft,
    address: null,
    warning: null,
    refused: { theirs, ours },
  });
  const body = bodyOf(draft, somebodyElse);
  const problem = sizeProblem(body);
  if (problem !== null) return refused(problem);
  try {
    const { url, warning } = await request<SignInStarted>(`/api/sign-in/${draft.protocol}`, { body });
    const address = webAddress(url);
    return address ? { draft, address, warning, refused: null } : refused(NOT_OF_THE_WEB);
  } catch (error) {
    if (error instanceof Refused) return refused(error.message, error.theirs);
    throw error;
  }
}
