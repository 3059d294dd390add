/** Reads what a handler answered: one of the three responses, and the fields that do not leave. */
import * as v from 'valibot';
import { LoginError } from '../errors.ts';
import { UserLoginResponse } from '../profile/response.ts';
import { showableNames } from '../profile/trace.ts';
import { problemsOf } from '../schema.ts';

export interface ReadAnswer {
  response: UserLoginResponse;
  /** The names of the fields that the handler gave and that do not leave. */
  droppedFields: string[];
}

/** @throws {LoginError} `answer_invalid` with the path of each mistake */
export function readAnswer(given: unknown): ReadAnswer {
  const result = parse(given);
  if (!result.success)
    throw new LoginError('answer_invalid', {
      problems: problemsOf(result.issues.map((issue) => withLookAlike(issue, given))),
    });
  return { response: result.output, droppedFields: droppedFields(given as object, result.output) };
}

/** Each field is read once, so that a getter cannot show the check one value and the caller another. */
function parse(given: unknown): v.SafeParseResult<typeof UserLoginResponse> {
  try {
    return v.safeParse(UserLoginResponse, given);
  } catch {
    throw new LoginError('answer_invalid', {
      problems: ['expected an answer that can be read: reading it threw'],
    });
  }
}

/** A missing field is often there under a name that differs by its spelling: `first_name` as `firstName`. */
function withLookAlike(issue: v.BaseIssue<unknown>, given: unknown): v.BaseIssue<unknown> {
  const [field, ...deeper] = issue.path ?? [];
  if (!field || deeper.length > 0 || field.value !== undefined) return issue;
  const name = String(field.key);
  const { names } = showableNames(Object.keys(given as object));
  const found = names.find((other) => other !== name && spellingOf(other) === spellingOf(name));
  return found === undefined ? issue : { ...issue, message: `${issue.message}; found ${found}` };
}

function spellingOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}

function droppedFields(given: object, response: UserLoginResponse): string[] {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(response, name));
  const { names, others } = showableNames([...unknown, ...unshowableImage(given, response)]);
  return others === 0 ? names : [...names, `${others} more`];
}

function unshowableImage(given: { image_url?: unknown }, response: UserLoginResponse): string[] {
  const isLeftOut = response.type === 'AuthorizedUserResponse' && response.image_url === null;
  return isLeftOut && given.image_url ? ['image_url'] : [];
}
