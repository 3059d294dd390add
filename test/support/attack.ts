/** Sample events to attack, and `npm run check -- --attack` on them. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AttackResult } from '../../tools/explain/attack/findings.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { runTool } from './tools.ts';
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

/** @throws {Error} with what the command says where it cannot run */
export async function attack(args: string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = await runTool('check', [...args, '--attack', '--json'], env);
  if (status === 2) throw new Error(stderr);
  const printed: { attack: AttackResult } = JSON.parse(stdout);
  return { status, ...printed.attack };
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
