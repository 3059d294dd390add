/** Findings follow the response: a person who gets in has no error of the profile, and one who is refused has one with what to change. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withAnswer } from '../../tools/capture/answerFindings.ts';
import { readCapture } from '../../tools/capture/readCapture.ts';
import { Engine } from '../../tools/local/engine.ts';
import { frozenTimeOf } from '../../tools/local/httpEvent.ts';
import { Samples } from '../../tools/local/samples.ts';
import type { Finding } from '../../tools/shared/finding.ts';
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

interface Judged {
  /** Of the ID token, beside those of the sample; undefined takes one away. */
  claims?: Record<string, unknown>;
  /** Whether the default handler answers, and not the one that the sample expects. */
  isDefault?: boolean;
}

async function judged(name: string, { claims = {}, isDefault = false }: Judged = {}) {
  const found = (await projectSamples()).find((one) => `${one.functionName}/${one.name}` === name);
  if (!found) throw new Error(`there is no ${name}`);
  const event = structuredClone(found.event) as { idToken?: { otherClaims: object } };
  Object.assign(event.idToken?.otherClaims ?? {}, claims);
  const sample = { ...found, event };
  const env = engine.stage.env;
  const [captured] = await readCapture(JSON.stringify(event), { environment: () => env });
  const answered = await samples.invoke(sample, isDefault ? undefined : sample.expected?.handler);
  return { answered, findings: withAnswer(captured?.findings ?? [], { ...sample, answered, env }) };
}

const isError = ({ level }: Finding) => level === 'error';

test('of every sample event, by the handler that it expects', async () => {
  const all = (await projectSamples()).filter(({ name }) => name !== 'http-invalid-event');
  for (const { functionName, name } of all) {
    const { answered, findings } = await judged(`${functionName}/${name}`);
    const errors = findings.filter(isError);
    const isIn = answered.response?.type === 'AuthorizedUserResponse';
    expect([name, errors.length > 0]).toEqual([name, !isIn]);
    if (!isIn) expect([name, ...errors.map(({ code }) => code)]).toContain(answered.reason);
    for (const { change } of errors)
      expect([name, change]).toEqual([name, expect.stringMatching(/\w.*\.$/s)]);
    const texts = findings.map(({ code, message }) => `${code} ${message}`);
    expect([name, texts]).toEqual([name, [...new Set(texts)]]);
  }
});

test.each<[name: string, message: RegExp, change: RegExp]>([
  [
    'openidLoggedIn/keycloak-suspended',
    /^rules\[1\]\.no_group refuses .* denies\.$/,
    /take the person out of that group/,
  ],
  [
    'openidLoggedIn/keycloak-one-text',
    /unclear form, which rules\[1\]\.no_group needs/,
    /\(Keycloak: "Multivalued"/,
  ],
  ['openidLoggedIn/keycloak-foreign-address', /email_domains refuses/, /add the domain to the rule/],
  [
    'openidLoggedIn/entra-group-overage',
    /which groups .* the mapping needs\.$/,
    /"Groups assigned to the application"/,
  ],
  [
    'openidLoggedIn/entra-other-tenant',
    /does not list the issuer https:\/\/login/,
    /add exactly this issuer/,
  ],
  [
    'openidLoggedIn/keycloak-unverified-email',
    /says that .* is not verified/,
    /\(Keycloak: "Email verified"[^;]*\)\. To/,
  ],
  [
    'openidLoggedIn/orcid-other-issuer',
    /^handlers\/orcid-email refuses/,
    /compare what the handler looks at/,
  ],
  [
    'openidLoggedIn/orcid',
    /^There is no e-mail address\. Received: amr/,
    /\(ORCID: it sends none[^;]*\)\. It may/,
  ],
  ['samlLoggedIn/edugain-foreign-scope', /scopes refuses the login/, /release eduPersonScopedAffiliation/],
  [
    'samlLoggedIn/glued-mails',
    /^No e-mail address that arrived can be used/,
    /one Attribute for each value\.$/,
  ],
])('%s is told why, and what to change', async (name, message, change) => {
  const { findings } = await judged(name);
  const [first] = findings.filter(isError);
  expect(first?.message).toMatch(message);
  expect(first?.change).toMatch(change);
});

const NAMES = { given_name: undefined, family_name: undefined, name: undefined };

test.each<[what: string, judged: Judged, code: string, change: RegExp]>([
  [
    'no address, with the scope',
    { claims: { email: undefined } },
    'profile_incomplete',
    /^The scope email was granted/,
  ],
  [
    'no address, without the scope',
    { claims: { email: undefined, email_verified: undefined } },
    'profile_incomplete',
    /^Have the service ask for the scope email .*\(Keycloak: "Add to ID token" of the mapper\)/,
  ],
  [
    'no surname, with the scope',
    { claims: { family_name: undefined, name: undefined } },
    'profile_incomplete',
    /^The scope profile was granted: .*\(Keycloak: "First name"/,
  ],
  [
    'an address at another level',
    { claims: { email: undefined, attributes: { mail: ['a@example.org'] } }, isDefault: true },
    'profile_incomplete',
    /^attributes\.mail arrived, .* write email: \['attributes\.mail'\] in a mapping\.$/,
  ],
  [
    'names that look like those sought',
    { claims: { ...NAMES, firstName: 'A', usualname: 'B' }, isDefault: true },
    'profile_incomplete',
    /^firstName arrived, .* usualname arrived, .*last_name: \['usualname'\]/,
  ],
  [
    'email_verified: [true]',
    { claims: { email_verified: [true] } },
    'email_unverified',
    /verify the address/,
  ],
])('%s is told as what it is', async (_, how, code, change) => {
  const { findings } = await judged('openidLoggedIn/keycloak-nested-roles', how);
  expect(findings.find(isError)).toMatchObject({ code, change: expect.stringMatching(change) });
});

test('what a handler does not read, or accepts, is nothing to change', async () => {
  const codes = async (name: string, isDefault: boolean) =>
    (await judged(`openidLoggedIn/${name}`, { isDefault })).findings.map(({ code }) => code);
  expect(await codes('entra-group-overage', true)).not.toContain('groups_unknown');
  expect(await codes('entra-group-overage', false)).toContain('groups_unknown');
  expect(await codes('keycloak-unverified-email-accepted', true)).toContain('email_unverified');
  expect(await codes('keycloak-unverified-email-accepted', false)).not.toContain('email_unverified');
});

test('a check that refuses has its own words and change', async () => {
  const issuers = {
    'https://idp.example.org/saml': { audiences: ['urn:b'], recipients: ['https://b.example'] },
  };
  const env = { ...process.env, SAML_ASSERTION_CHECK: 'on', SAML_ISSUERS: JSON.stringify(issuers) };
  const checked = await Engine.open({ stage: new Stage('dev', env) });
  const [event, functionName] = [samlEvent(), 'samlLoggedIn'];
  const frozenTime = frozenTimeOf(event);
  const answered = await checked.invoke({
    ...{ functionName, isChecked: true, isLive: true, requests: 'live', frozenTime, event },
  });
  await checked.close();
  const [first] = withAnswer([], { answered, event, functionName, env });
  expect(first).toMatchObject({ code: 'assertion_audience_refused', level: 'error' });
  expect(first?.change).toMatch(/audiences/);
});
