/** What holds at Keycloak of logins by either protocol, with the mapping of docs/providers/keycloak.md. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { runCommand } from '../../support/commands.ts';
import { commandEnvironment } from '../../support/environment.ts';
import { inkOf } from '../../support/studio.ts';
import {
  type Answered,
  type Asked,
  addressIn,
  answered,
  type Campus,
  type Kind,
  logIn,
  PEOPLE,
  type Protocol,
  SURNAME,
  signOut,
} from './campus.ts';
import { Person, shown } from './person.ts';

/** A steward has a role of the realm, which the mapping for SAML does not read. */
export const ANSWERS: Record<Protocol, Partial<Record<Kind, Answered>>> = {
  openid: answersOf(1),
  saml: answersOf(0),
};

function answersOf(groupsOfStewards: number): Partial<Record<Kind, Answered>> {
  return {
    staff: ['authorized', 'authorized', 1],
    steward: ['authorized', 'authorized', groupsOfStewards],
    plain: ['authorized', 'authorized', 0],
    suspended: ['forbidden', 'rule_refused'],
    'suspended below': ['forbidden', 'rule_refused'],
    'without address': ['error', 'profile_incomplete'],
    unverified: ['error', 'email_unverified'],
  };
}

export function testPeople(protocol: Protocol, given: () => { campus: Campus; asked: Asked }): void {
  describe('of 20 people', () => {
    const enabled = PEOPLE.filter(({ kind }) => kind !== 'disabled');
    test.each(enabled)('$username', async ({ kind, username }) => {
      const { campus, asked } = given();
      const result = await campus.signIn(protocol, asked, username);
      expect(answered(result)).toEqual(ANSWERS[protocol][kind]);
    });

    test('one who is disabled stays at Keycloak', async () => {
      const { campus, asked } = given();
      const { url = '' } = await campus.start(protocol, asked);
      expect(shown((await logIn(new Person(), url, 'disabled1')).text)).toContain('Account is disabled');
    });
  });

  test('a second person signs in after the first has signed out at Keycloak, and only then', async () => {
    const { campus, asked } = given();
    const browser = new Person();
    await campus.signIn(protocol, asked, 'staff1', browser);
    const again = await campus.signIn(protocol, asked, 'staff2', browser);
    expect(addressIn(again)).toBe('staff1@example.edu');
    const { url = '' } = await campus.start(protocol, { ...asked, somebodyElse: 'yes' });
    expect(shown((await browser.open(url)).text)).toContain('Please re-authenticate to continue');
    await signOut(campus, browser);
    const other = await campus.signIn(protocol, { ...asked, somebodyElse: 'yes' }, 'staff2', browser);
    expect(addressIn(other)).toBe('staff2@example.edu');
  });

  test('a login is kept without the person, and npm run check passes with it', async () => {
    const { campus, asked } = given();
    const { login } = await campus.signIn(protocol, asked, 'staff3');
    await keepAndCheck(campus, login ?? '', 'staff3');
  });
}

/** @param login the id of the login in the list of the studio */
async function keepAndCheck({ studio }: Campus, login: string, username: string): Promise<void> {
  const { html = '' } = await studio.send(`logins/${login}/keep`, { name: 'kept' });
  const [, plan] = /data-action="(keeps\/[^"]+)"/.exec(html) ?? [];
  const files = Array.from(html.matchAll(/<li><code>(.*?)<\/code>/g), ([, file = '']) => inkOf(file));
  await studio.send(plan ?? '');
  expect(files).not.toEqual([]);
  for (const file of files)
    expect(await readFile(join(studio.folder, file), 'utf8')).not.toMatch(
      new RegExp(`${username}|${SURNAME}`, 'i'),
    );
  const sample = files.find((file) => file.endsWith('kept.json')) ?? '';
  const env = commandEnvironment({ HOME: studio.folder, LOGIN_HOOKS_ENV_FOLDER: studio.folder });
  const check = runCommand(['tools/cli/bin.cjs', 'check', sample], { cwd: studio.folder, env });
  expect(await check.end(0)).toMatchObject({ status: 0 });
}
