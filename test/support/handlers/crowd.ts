/** Does what each login asks of it, with the person's own values in the answer. For many logins at the same time. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  abortSignal,
  authorizedUser,
  endpoint,
  getSecret,
  lookUp,
  type OpenIdUserLoggedInEvent,
  remainingMs,
  type SamlUserLoggedInEvent,
  url,
} from 'login-hooks';
import * as v from 'valibot';

const Person = v.object({ email: v.string() });

/** What a login asks for: `email` is the person's. */
interface Asked {
  kind: keyof typeof KINDS;
  email: string;
  /** How long the handler waits before it answers, in milliseconds. */
  waitMs: number;
  /** A secret that it shares with other logins. */
  secret: string;
}

const KINDS = {
  waits: async () => '',
  'looks up': async ({ email }: Asked) => person(email, {}),
  'shares a look-up': async () => person('shared@example.org', { cacheSeconds: 60 }),
  'shares a secret': ({ secret }: Asked) => getSecret(secret),
  throws: async ({ email }: Asked) => {
    throw new Error(email);
  },
  hangs: () => new Promise<string>(() => {}),
  'waits for its deadline': async () => {
    await sleep(10_000, undefined, { signal: abortSignal() });
    return '';
  },
  'says what is left': async () => String(Math.round(remainingMs())),
  'leaves a promise behind': async ({ email, waitMs }: Asked) => {
    void sleep(waitMs).then(() => Promise.reject(new Error(email)));
    return '';
  },
  'leaves a timer behind': async ({ email, waitMs }: Asked) => {
    setTimeout(() => {
      throw new Error(email);
    }, waitMs);
    return '';
  },
  'is busy for a while': async () => {
    const start = performance.now();
    while (performance.now() - start < 1_300);
    return '';
  },
  'blocks in a loop': () => {
    for (;;);
  },
  'blocks in a regular expression': async () => String(/^(a+)+$/.test(`${'a'.repeat(50)}!`)),
  'blocks after a look-up': async ({ email }: Asked) => {
    await person(email, {});
    for (;;);
  },
  'blocks in a timer': () =>
    new Promise<string>(() => {
      setTimeout(() => {
        for (;;);
      }, 1);
    }),
  'blocks in native code': async () => {
    process.getBuiltinModule('node:child_process').execFileSync('sleep', ['10']);
    return '';
  },
} satisfies Record<string, (asked: Asked) => Promise<string>>;

export type Kind = keyof typeof KINDS;

export default async function handle(event: OpenIdUserLoggedInEvent | SamlUserLoggedInEvent) {
  const asked = read(event);
  const found = await KINDS[asked.kind](asked);
  await sleep(asked.waitMs);
  // Read again, after other logins have run.
  const { email, kind } = read(event);
  return authorizedUser({ first_name: kind, last_name: email, email, affiliation: found });
}

function read(event: OpenIdUserLoggedInEvent | SamlUserLoggedInEvent): Asked {
  if ('id_token' in event) return event.id_token.other_claims as unknown as Asked;
  const attributes = event.assertion.attribute_statement.map(({ name, value }) => [name, value]);
  const { waitMs, ...others } = Object.fromEntries(attributes);
  return { ...others, waitMs: Number(waitMs) };
}

async function person(email: string, options: object): Promise<string> {
  const base = endpoint(process.env.CROWD_URL ?? '');
  return (await lookUp(url`${base}/person?email=${email}`, Person, { allowHttp: true, ...options })).email;
}
