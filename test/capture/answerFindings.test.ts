/** Findings follow the answer: a person who gets in has no problem of the profile, and one who is refused has a problem with its cure. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withAnswer } from '../../tools/capture/answerFindings.ts';
import type { Finding } from '../../tools/capture/findings.ts';
import { readCapture } from '../../tools/capture/readCapture.ts';
import { Engine } from '../../tools/local/engine.ts';
import { frozenTimeOf } from '../../tools/local/httpEvent.ts';
import { Samples } from '../../tools/local/samples.ts';
import { Stage } from '../../tools/shared/stage.ts';
import { projectSamples } from '../support/projectSamples.ts';
import { samlEvent } from '../support/wire.ts';

let engine: Engine;
let samples: Samples;
beforeAll(async () => {
  engine = await Engine.open();
  samples = new Samples(engine, { isOffline: true });
});
afterAll(() => engine.close());

/** @param isDefault whether the default handler answers, and not the one that the sample expects */
async function judged(name: string, change = (event: unknown) => event, isDefault = false) {
  const found = (await projectSamples()).find((one) => `${one.functionName}/${one.name}` === name);
  if (!found) throw new Error(`there is no ${name}`);
  const sample = { ...found, event: change(found.event) };
  const env = engine.stage.env;
  const [captured] = await readCapture(JSON.stringify(sample.event), { environment: () => env });
  const answered = await samples.invoke(sample, isDefault ? undefined : sample.expected?.handler);
  return { answered, findings: withAnswer(captured?.findings ?? [], { ...sample, answered, env }) };
}

const isProblem = ({ level }: Finding) => level === 'problem';

test('of every sample event, by the handler that it expects', async () => {
  const all = (await projectSamples()).filter(({ name }) => name !== 'http-invalid-event');
  for (const { functionName, name } of all) {
    const { answered, findings } = await judged(`${functionName}/${name}`);
    const problems = findings.filter(isProblem);
    const isIn = answered.response?.type === 'AuthorizedUserResponse';
    expect([name, problems.length > 0]).toEqual([name, !isIn]);
    if (!isIn) expect([name, ...problems.map(({ code }) => code)]).toContain(answered.reason);
    for (const { cure } of problems) expect([name, cure]).toEqual([name, expect.stringMatching(/\w.*\.$/s)]);
    const texts = findings.map(({ code, message }) => `${code} ${message}`);
    expect([name, texts]).toEqual([name, [...new Set(texts)]]);
  }
});

const OPENID = 'openidLoggedIn';

test.each<[name: string, message: string, cure: RegExp]>([
  [
    `${OPENID}/keycloak-suspended`,
    'rules[1].no_group refuses the login: the person is in a group that it denies.',
    /^If this person should get in, take the person out of that group at the provider, or the group out of the rule\.$/,
  ],
  [
    `${OPENID}/keycloak-one-text`,
    'The provider sends the groups in an unclear form, which rules[1].no_group needs.',
    /\(Keycloak: "Multivalued" of the mapper\).* \(AD FS, JumpCloud, IdentityServer\)\.$/,
  ],
  [
    `${OPENID}/keycloak-foreign-address`,
    'issuers[…].rules[0].email_domains refuses the login: the domain of the e-mail address is not in its list.',
    /add the domain to the rule/,
  ],
  [
    `${OPENID}/entra-group-overage`,
    'The provider does not say which groups the person is in, which the mapping needs.',
    /^Send only the groups that the service needs \(Entra: "Token configuration", "Groups assigned to the application"\)/,
  ],
  [
    `${OPENID}/entra-other-tenant`,
    'The mapping does not list the issuer https://login.microsoftonline.com/9122040d-6c67-4c5b-b112-36a304b66dad/v2.0.',
    /add exactly this issuer to issuers of the mapping\.$/,
  ],
  [
    `${OPENID}/keycloak-unverified-email`,
    'The provider says that the e-mail address is not verified.',
    /\(Keycloak: "Email verified" of the user, or "Trust email" of the identity provider\)\. To accept/,
  ],
  [
    'samlLoggedIn/edugain-foreign-scope',
    'issuers[…].rules[0].scopes refuses the login: no scoped affiliation that it lists arrived.',
    /have the provider release eduPersonScopedAffiliation/,
  ],
  [
    'openidLoggedIn/orcid-other-issuer',
    'handlers/orcid-email refuses the login, by code of its own.',
    /compare what the handler looks at/,
  ],
  [
    `${OPENID}/orcid`,
    'There is no e-mail address. Received: amr, at_hash, auth_time, family_name, given_name, jti.',
    /ID token \(ORCID: it sends none, look the address up in its public record\)\. It may/,
  ],
  [
    'samlLoggedIn/glued-mails',
    'No e-mail address that arrived can be used.',
    /^Several addresses arrived as one text: have the provider send one Attribute for each value\.$/,
  ],
])('%s is told why, and what to do', async (name, message, cure) => {
  const { findings } = await judged(name);
  expect(findings.find(isProblem)).toMatchObject({ message, cure: expect.stringMatching(cure) });
});

type Event = { idToken: { otherClaims: Record<string, unknown> } };

test.each<[what: string, changes: Record<string, unknown>, cure: RegExp]>([
  [
    'an address, with the scope email',
    { email: undefined },
    /^The scope email was granted: .*\(Keycloak: "Email" of the user\)/,
  ],
  [
    'an address, without the scope email',
    { email: undefined, email_verified: undefined },
    /^Have the service ask for the scope email .*\(Keycloak: "Add to ID token" of the mapper\)/,
  ],
  [
    'a surname, with the scope profile',
    { family_name: undefined, name: undefined },
    /^The scope profile was granted: .*\(Keycloak: "First name"/,
  ],
])('a person of Keycloak without %s is told what was not done yet', async (_, changes, cure) => {
  const { findings } = await judged(`${OPENID}/keycloak-nested-roles`, (event) => {
    const changed = structuredClone(event) as Event;
    Object.assign(changed.idToken.otherClaims, changes);
    return changed;
  });
  expect(findings.find(isProblem)?.cure).toMatch(cure);
});

test.each<[string, Record<string, unknown>, RegExp]>([
  [
    'an address at another level',
    { email: undefined, attributes: { mail: ['a@example.org'] } },
    /^attributes\.mail arrived, and looks like it\. If it is, write email: \['attributes\.mail'\] in a mapping\.$/,
  ],
  [
    'names that look like those sought',
    { given_name: undefined, family_name: undefined, name: undefined, firstName: 'A', usualname: 'B' },
    /^firstName arrived, .* usualname arrived, .*last_name: \['usualname'\]/,
  ],
])('%s: nobody is sent to the provider', async (_, changes, cure) => {
  const changed = (event: unknown) => {
    const copy = structuredClone(event) as Event;
    Object.assign(copy.idToken.otherClaims, changes);
    return copy;
  };
  const { findings } = await judged(`${OPENID}/keycloak-nested-roles`, changed, true);
  expect(findings.find(isProblem)).toMatchObject({
    code: 'profile_incomplete',
    cure: expect.stringMatching(cure),
  });
});

test('groups that are left out are no warning for a handler that reads none', async () => {
  const codes = async (isDefault: boolean) =>
    (await judged(`${OPENID}/entra-group-overage`, undefined, isDefault)).findings.map(({ code }) => code);
  expect(await codes(true)).not.toContain('groups_unknown');
  expect(await codes(false)).toContain('groups_unknown');
});

test.each([
  [[true], 'The provider says neither that the e-mail address is, nor that it is not, verified.'],
  [false, 'The provider says that the e-mail address is not verified.'],
])('email_verified: %j is told as what it is', async (email_verified, message) => {
  const { findings } = await judged(`${OPENID}/keycloak-nested-roles`, (event) => {
    const changed = structuredClone(event) as Event;
    Object.assign(changed.idToken.otherClaims, { email_verified });
    return changed;
  });
  expect(findings.find(isProblem)).toMatchObject({
    code: 'email_unverified',
    message: expect.stringContaining(message),
  });
});

test('what the default handler refuses is no problem of a handler that lets the person in', async () => {
  const name = `${OPENID}/keycloak-unverified-email-accepted`;
  const codesOf = async (isDefault: boolean) =>
    (await judged(name, undefined, isDefault)).findings.filter(isProblem).map(({ code }) => code);
  expect(await codesOf(true)).toEqual(['email_unverified']);
  expect(await codesOf(false)).toEqual([]);
});

test('a check that refuses has its own words and cure', async () => {
  const issuers = {
    'https://idp.example.org/saml': { audiences: ['urn:b'], recipients: ['https://b.example'] },
  };
  const env = { ...process.env, SAML_ASSERTION_CHECK: 'on', SAML_ISSUERS: JSON.stringify(issuers) };
  const checked = await Engine.open({ stage: new Stage('dev', env) });
  const [event, functionName] = [samlEvent(), 'samlLoggedIn'];
  const way = {
    functionName,
    isChecked: true,
    isLive: true,
    requests: 'live',
    frozenTime: frozenTimeOf(event),
  } as const;
  const answered = await checked.invoke({ ...way, event });
  await checked.close();
  const [first] = withAnswer([], { answered, event, functionName, env });
  expect(first).toMatchObject({ code: 'assertion_audience_refused', level: 'problem' });
  expect(first?.cure).toMatch(/audiences/);
});
