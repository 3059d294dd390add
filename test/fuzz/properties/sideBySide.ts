/** Many logins at once through one process: each answer, and each record, is its own event's. */
import { eventFor, issuerOf, type SideBySide, sideBySide } from '../arbitraries/instructions.ts';
import { type LoadOptions, loadFunction } from '../loginFunction.ts';
import type { Answer } from '../oracle/answer.ts';
import { demand } from '../oracle/demand.ts';
import { isText } from '../oracle/json.ts';
import type { LoginRecord } from '../oracle/logged.ts';
import { type Property, property } from '../property.ts';

/** What an invocation has, in milliseconds; 500 of them are the function's. */
const ENOUGH_MS = 60_000;
const HARDLY_ANY_MS = 510;

export async function sideBySideProperties(options: LoadOptions): Promise<Property[]> {
  const functions = {
    openidLoggedIn: await loadFunction('openidLoggedIn', options),
    samlLoggedIn: await loadFunction('samlLoggedIn', options),
  };
  const { takeLog } = functions.openidLoggedIn;

  let count = 0;
  return [
    property('logins side by side', 1, sideBySide, async (logins) => {
      takeLog();
      // What a late login's handler still does is told later, and is nothing to the logins that run then.
      const people = logins.map((login) => ({ login, person: `person-${++count}x` }));
      const answers = await Promise.all(
        people.map(({ login, person }) =>
          functions[login.kind].answer(eventFor(person, login), {
            awsRequestId: `request-of-${person}`,
            getRemainingTimeInMillis: () => (login.isLate ? HARDLY_ANY_MS : ENOUGH_MS),
          }),
        ),
      );
      // A promise that rejects unheard is noticed after all that wait have gone on.
      await new Promise((resolve) => setImmediate(resolve));
      const records = takeLog();
      for (const [index, { login, person }] of people.entries()) {
        const own = records.filter(({ requestId }) => requestId === `request-of-${person}`);
        requireOwn(person, login, answers[index] as Answer, own as LoginRecord[]);
      }
    }),
  ];
}

function requireOwn(person: string, login: SideBySide, answer: Answer, records: LoginRecord[]): void {
  const [record, ...others] = records.filter(({ event }) => event === 'login');
  demand(record !== undefined && others.length === 0, 'each login has one record');
  demand(record.issuer === issuerOf(person), "a record's issuer is its own event's");
  demand(record.answer === answer.type, 'a record says what was answered');
  const reasons = expectedReasons(login);
  demand(
    reasons.includes(record.reason),
    `a login that ${login.outcome} ends as ${reasons.join(' or ')}, not as ${record.reason}`,
  );
  const strays = records.filter(({ event }) => event === 'unhandled_error').length;
  const isStray = login.outcome === 'stray';
  demand(strays === (isStray ? 1 : 0) || (isStray && login.isLate), 'what floats is told with its own login');
  requireOthersAbsent(person, [answer, ...records]);
  if (answer.type === 'AuthorizedUserResponse') requireProfile(person, login, answer);
  else requireMessage(person, login, answer);
}

function expectedReasons({ isLate, isComplete, outcome }: SideBySide): string[] {
  // On a busy machine, a handler may throw after its deadline and before the timer is heard.
  if (isLate) return outcome === 'throws' ? ['handler_timed_out', 'handler_threw'] : ['handler_timed_out'];
  if (outcome === 'default') return [isComplete ? 'authorized' : 'profile_incomplete'];
  return [
    { authorizes: 'authorized', stray: 'authorized', forbids: 'forbidden', throws: 'handler_threw' }[outcome],
  ];
}

function requireProfile(person: string, { shared, outcome }: SideBySide, answer: Answer): void {
  demand(answer.email === `${person}@example.org`, "an answer's address is its own event's");
  demand(answer.first_name === person, "an answer's name is its own event's");
  const found = outcome === 'default' ? '-' : (shared ?? '-');
  demand(answer.last_name === found, 'what was looked up is what was asked for');
  const groups = outcome === 'default' ? 1 : 0;
  const { user_group_uuids } = answer as { user_group_uuids?: unknown[] };
  demand(user_group_uuids?.length === groups, 'a group that a handler adds is in its own response');
}

function requireMessage(person: string, { outcome, isLate }: SideBySide, { message }: Answer): void {
  const isOperators = outcome === 'forbids' && !isLate;
  const ending = isOperators ? `Not you, ${person}.` : `(Reference: request-of-${person})`;
  demand(isText(message) && message.endsWith(ending), 'a refusal has the reference of its own login');
}

function requireOthersAbsent(person: string, texts: unknown[]): void {
  const people = JSON.stringify(texts).match(/person-\d+x/g) ?? [];
  demand(
    people.every((other) => other === person),
    'nothing of another login is in an answer or a record',
  );
}
