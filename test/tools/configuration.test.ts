/** What the commands read of the configuration of a project. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readConfiguration } from '../../tools/shared/configuration.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const folder = temporaryFolder();

function read(text: string, name = 'serverless.yml') {
  const file = join(folder, name);
  writeFileSync(file, text);
  return readConfiguration(file);
}

const SAID = { hasHttp: false, stages: [], others: {}, service: null, listed: [], file: 'serverless.yml' };
const answering = (module: string, isOfAnyIssuer = false) => ({ module, isOfAnyIssuer });
const X = { handlers: { SAML: answering('handlers/x') } };
const BOTH = { handlers: { OpenID: answering('default'), SAML: answering('default') } };
const hooks = (written: string) => `custom: {loginHooks: ${written}}`;

const ANY = { handlers: { SAML: answering('handlers/x', true) } };
const OTHERS = { A: 'b', C: null, D: `\${param:d}` };
const SECTIONS = 'stages: {default: {}, a: {}}\nparams: {b: {}}';
const TAKEN = `a: \${env:SAML_DIRECTORY, null}\nb: \${opt:x, env:own, 'y'}\n# OUT: \${env:OUT}`;
const ofX = (written = '') => hooks(`{saml: handlers/x${written}}`);
test.each<[string, string, object]>([
  ['the service', `service: my-Logins_2\n${ofX()}`, { ...X, service: 'my-Logins_2' }],
  ['a handler for any issuer', hooks('{saml: {handler: handlers/x, issuers: any}}'), ANY],
  ['stages of all sections', `${ofX(', stages: [pr-*]')}\n${SECTIONS}`, { ...X, stages: ['b', 'a', 'pr-*'] }],
  ['routes', ofX(', http: true'), { ...X, hasHttp: true }],
  ['other resources', ofX(`, others: {A: b, C: null, D: "\${param:d}"}`), { ...X, others: OTHERS }],
  ['the service from a variable', `service: \${env:SERVICE}\n${ofX()}`, { ...X, listed: ['SERVICE'] }],
  ['what it takes of the environment', `${TAKEN}\n${ofX()}`, { ...X, listed: ['SAML_DIRECTORY', 'own'] }],
  ['tags of CloudFormation', `resources: {A: !Sub "\${B}"}\n${ofX()}`, X],
  ['plugins of its own', `plugins: [./ours.cjs]\n${ofX()}`, X],
  [
    'plugins and a provider from variables',
    `plugins: \${file(p.yml)}\nprovider: \${file(a.yml)}\n${ofX()}`,
    X,
  ],
  ['merged maps', 'a: &a {saml: handlers/x}\ncustom: {loginHooks: {<<: *a}}', X],
])('reads %s', (_, text, expected) => {
  expect(read(text)).toEqual({ ...SAID, ...expected });
});

test('reads JSON', () => {
  const text = JSON.stringify({ service: 'a', custom: { loginHooks: { saml: 'default' } } });
  const handlers = { SAML: answering('default') };
  expect(read(text, 'serverless.json')).toMatchObject({ handlers, service: 'a' });
});

test.each(['serverless.js', 'serverless.ts'])('refuses %s, and does not run it', (name) => {
  expect(() => read('throw new Error();', name)).toThrow(
    `${name}: expected serverless.yml or serverless.json, because nothing reads a configuration that is code`,
  );
});

test('has all kinds where there is no file', () => {
  expect(readConfiguration(join(folder, 'none.yml'))).toEqual({ ...SAID, ...BOTH, file: 'none.yml' });
});

describe('refuses', () => {
  const MODULE = 'expected a module that is written out, such as handlers/keycloak, or default';
  const KEYS = 'openid, saml, http, stages, others';
  const issuers = (which: string, module = 'handlers/x') =>
    hooks(`{openid: {handler: ${module}, issuers: ${which}}}`);
  const HOOKS = 'custom.loginHooks';
  const NO_KIND = `${HOOKS}: expected what answers the logins: openid: handlers/`;
  test.each([
    ['a kind that does not exist', hooks('{oidc: default}'), `${HOOKS}: oidc: expected only ${KEYS}`],
    ['a variable', hooks(`{openid: "\${env:HANDLER}"}`), `${HOOKS}: openid: ${MODULE}`],
    ['a variable among others', issuers('any', `"\${env:HANDLER}"`), `${HOOKS}: openid.handler: ${MODULE}`],
    ['other issuers', issuers('some'), `${HOOKS}: openid: ${MODULE}`],
    ['a pattern of all stages', hooks('{saml: default, stages: ["*"]}'), `${HOOKS}: stages[0]: expected the`],
    ['names in a list', hooks('{others: [A]}'), `${HOOKS}: others: expected a map of reasons`],
    ['no kind', hooks('{http: true}'), NO_KIND],
    ['nothing that answers', 'service: a', NO_KIND],
    ['custom from a file', `custom: \${file(custom.yml)}`, 'custom: expected a map that is written out'],
    ['what is not YAML', 'a: [', 'expected '],
    ['a list', '- a', 'expected '],
    ['an empty file', '', 'expected '],
  ])('%s', (_, text, problem) => {
    expect(() => read(text)).toThrow(`serverless.yml: ${problem}`);
  });

  const PLUGIN = 'plugins: expected login-hooks/serverless in the list, which adds the functions';
  test.each([
    ['the plugin without its path', 'plugins: [login-hooks]', PLUGIN],
    ['the plugin commented out', 'plugins:\n#  - login-hooks/serverless', PLUGIN],
    ['no plugins', 'provider: {name: aws}', PLUGIN],
    ['another cloud', 'provider: {name: google}', 'provider.name: expected aws, found google'],
    ['another cloud in short', 'provider: google', 'provider.name: expected aws, found google'],
  ])('%s', (_, written, problem) => {
    expect(() => read(`${written}\n${hooks('{saml: default}')}`)).toThrow(`serverless.yml: ${problem}`);
  });

  test('a folder in its place', () => {
    expect(() => readConfiguration(folder)).toThrow(`${folder}: expected YAML or JSON: EISDIR`);
  });
});
