/** Everything that commands and the studio say of how a login came about. */
import { type Account, type AnsweredLogin, accountIn } from './account.ts';
import { type Step, stepsOf } from './loginSteps.ts';
import type { Place } from './places.ts';
import { plainSentenceOf, sentenceOf } from './sentence.ts';

export interface Explanation extends Account {
  /** Who got in or not, and the fact that decided, in 90 characters at most: `Authorized as Ada Lovelace, ada@example.org`. */
  sentence: string;
  /** The same without a value of the event. */
  plainSentence: string;
  /** The login's path, in its order. */
  steps: Step[];
  /** What was used of the event. */
  marks: Mark[];
}

/** A text of the event that was used, and for what: fields of the response, or `groups`. */
export interface Mark {
  path: Place;
  field: string;
}

/** Without the records where they are none of the function's: a handler may print some of that form. */
export function explanationOf(login: AnsweredLogin): Explanation {
  try {
    return explained(login);
  } catch {
    return explained({ ...login, answered: { ...login.answered, records: [] } });
  }
}

function explained(login: AnsweredLogin): Explanation {
  const { answered, event, functionName } = login;
  const account = accountIn(login);
  return {
    sentence: sentenceOf(answered, account),
    plainSentence: plainSentenceOf(answered),
    steps: stepsOf(answered, event, functionName),
    marks: marksOf(account),
    ...account,
  };
}

function marksOf({ fields, groups }: Account): Mark[] {
  return [
    ...fields.flatMap(({ field, at }) => (at === null ? [] : [{ path: at, field }])),
    ...(groups?.values ?? []).map(({ at }) => ({ path: at, field: 'groups' })),
  ];
}
