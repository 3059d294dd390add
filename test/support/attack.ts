/** Sample events to attack, and what the attack of `check` finds of them. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isWrong } from '../../tools/cli/report.ts';
import { Run } from '../../tools/cli/run.ts';
import type { AttackResult } from '../../tools/explain/attack/findings.ts';
import { Engine } from '../../tools/local/engine.ts';
import { sampleEvents } from '../../tools/local/events.ts';
import { BUILT, commandEnvironment } from './environment.ts';
import { inThisProcess } from './inProcess.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { attribute, openIdEvent, samlEvent } from './wire.ts';

const root = temporaryFolder();

export type Kind = 'openid' | 'saml';
let folders = 0;

/** A folder of one event, and what is beside it: `expected` or `recordings`. */
export async function eventsOf(
  kind: Kind,
  event: unknown,
  beside: Record<string, unknown> = {},
): Promise<string> {
  folders += 1;
  const folder = join(root, `events-${folders}`);
  const files = {
    ada: event,
    ...Object.fromEntries(Object.entries(beside).map(([name, json]) => [`ada.${name}`, json])),
  };
  await mkdir(join(folder, `${kind}LoggedIn`), { recursive: true });
  for (const [name, json] of Object.entries(files))
    await writeFile(join(folder, `${kind}LoggedIn`, `${name}.json`), JSON.stringify(json));
  return folder;
}

/** @param handler answers all events; default: the one that each expects */
export async function attack(folder: string, handler?: string, env: Record<string, string> = {}) {
  const { promise, resolve } = Promise.withResolvers<AttackResult & { status: 0 | 1 }>();
  await inThisProcess(
    async () => {
      const engine = await Engine.open({ handlers: handler === undefined ? [] : [handler] });
      try {
        const run = new Run(engine, { handler, offline: true, attack: true });
        const result = await run.of(await sampleEvents(folder));
        resolve({ status: isWrong(result) ? 1 : 0, ...(result.attack as AttackResult) });
        return 0;
      } finally {
        await engine.close();
      }
    },
    [],
    commandEnvironment({ ...BUILT, ...env }),
  );
  return promise;
}

export const CAMPUS = 'https://sso.example.edu/realms/campus';
export const PARTNER = 'https://idp.partner.example';

export function openIdLogin(claims: Record<string, unknown> = {}) {
  const event = openIdEvent();
  event.idToken.iss = CAMPUS;
  const groups = ['staff', 'everyone'];
  Object.assign(event.idToken.otherClaims, {
    email: 'ada@example.edu',
    email_verified: true,
    groups,
    ...claims,
  });
  return event;
}

export function samlLogin() {
  const event = samlEvent([
    attribute('urn:oid:0.9.2342.19200300.100.1.3', 'ada@example.edu', 'mail'),
    attribute('urn:oid:2.5.4.42', 'Ada', 'givenName'),
    attribute('urn:oid:2.5.4.4', 'Lovelace', 'sn'),
    attribute('urn:oid:1.3.6.1.4.1.5923.1.1.1.9', 'member@example.edu', 'eduPersonScopedAffiliation'),
  ]);
  event.assertion.assertionIssuer = CAMPUS;
  return event;
}
