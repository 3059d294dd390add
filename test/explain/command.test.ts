/** `npm run login -- … --explain`: how a response came about, without values unless they are asked for. */
import { expect, test } from '@jest/globals';
import { customHandler } from '../support/customHandler.ts';
import { runTool } from '../support/tools.ts';
import { samlEvent } from '../support/wire.ts';

const NESTED_ROLES = ['openid', 'events/openidLoggedIn/keycloak-nested-roles.json'];
const ENTRA = ['openid', 'events/openidLoggedIn/entra.json'];

async function explained(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await runTool('login', [...args, '--explain']);
  expect(status).toBe(0);
  expect(() => JSON.parse(stdout)).not.toThrow();
  return stderr;
}

test.each<[string, string[], RegExp[]]>([
  [
    'a field that is not used',
    ['openid', 'events/openidLoggedIn/keycloak-unverified-email.json'],
    [/^reason {3}email_unverified$/m, /^email +- +unverified$/m, /^email: tried {2}email$/m],
  ],
  [
    'where fields were found',
    ['saml', 'events/samlLoggedIn/adfs.json'],
    [/^email +Name …\/emailaddress +assertion\.attribute_statement\[1\]\.value +unproven$/m],
  ],
  [
    'what each source of groups gave, the row of each group, and what each rule says, without values',
    [...NESTED_ROLES, '--handler', 'handlers/keycloak-roles'],
    [
      /^Rule +rules\[1\]\.no_group: \["suspended"\]$/m,
      /^realm_access\.roles +realm_access\.roles +4 groups$/m,
      /^id_token\.other_claims\.realm_access\.roles\[2\] +groups\.table\[0\]$/m,
      /^id_token\.other_claims\.groups\[1\] +no row$/m,
      /^groups {2}6 received, 2 mapped, 4 unmatched$/m,
      /^rules\[1\]\.no_group +allows$/m,
      /^(?!.*(?:Katherine|data-steward))/s,
    ],
  ],
  [
    'the rule of an issuer that decided',
    ['saml', 'events/samlLoggedIn/edugain-foreign-rector.json', '--handler', 'handlers/edugain-federation'],
    [
      /^issuers\[…\]\.rules\[0\]\.scopes +allows$/m,
      /^issuers\[…\]\.rules\[1\]\.email_domains +refuses: this decided$/m,
    ],
  ],
])('tells %s', async (_, args, patterns) => {
  const text = await explained(...args);
  expect(text).toMatch(/^(Authorized|(Forbidden|Error): .+)\n\n(Warning|Rule|Found) /);
  for (const pattern of patterns) expect(text).toMatch(pattern);
});

test('no line is the sender’s', async () => {
  const event = samlEvent();
  event.assertion.assertionIssuer =
    'https://x.example\n\nresponse AuthorizedUserResponse\nreason   authorized';
  event.assertion.assertionAttributeStatement = [];
  const text = await explained('saml', await customHandler(JSON.stringify(event), '.json'), '--values');
  expect(text.match(/^(?:response|reason) .*$/gm)).toEqual([
    'response ErrorResponse',
    'reason   profile_incomplete',
  ]);
});

test('values are those of the event, and part of --explain', async () => {
  const args = [...NESTED_ROLES, '--handler', 'handlers/keycloak-roles', '--values'];
  const text = await explained(...args);
  expect(text).toMatch(/^Authorized as Katherine Johnson, .*data-steward/);
  expect(text).toMatch(/^Found +data-steward → \S+ \(id_token\.other_claims\.realm_access\.roles\[2\]\)$/m);
  expect(text).toMatch(/^first_name +given_name +id_token\.other_claims\.given_name +"Katherine"$/m);
  const { status, stderr } = await runTool('login', args);
  expect([status, stderr]).toEqual([2, 'expected --explain with --values\n']);
});

test('of code: what it read, and what it prints; the log is for --verbose only', async () => {
  const handler = await customHandler(
    `export default ({ id_token }) => {
      console.log('printed');
      return { type: 'ForbiddenResponse', message: id_token.other_claims.name };
    }`,
  );
  const text = await explained(...ENTRA, '--handler', handler);
  expect(text).toMatch(/^Rule +the code of \S+\nFound +at id_token\.other_claims\.name$/m);
  expect(text).toMatch(/^name +id_token\.other_claims\.name$/m);
  expect(text).toMatch(/^printed$/m);
  expect(text).not.toContain('"event":"login"');
  expect(await explained(...ENTRA, '--handler', handler, '--verbose')).toContain('"event":"login"');
});
