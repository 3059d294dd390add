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

const NOTHING = { kinds: null, handlers: {}, hasHttp: false, others: {}, stages: [], service: null };
const hooks = (written: string) => `custom: {loginHooks: ${written}}`;

test.each<[string, string, object]>([
  [
    'a kind and the service',
    `service: a\n${hooks('{openid: handlers/x}')}`,
    { kinds: ['OpenID'], handlers: { OpenID: 'handlers/x' }, service: 'a' },
  ],
  ['kinds in any order', hooks('{saml: default, openid: default}'), { kinds: ['OpenID', 'SAML'] }],
  [
    'a handler for any issuer',
    hooks('{saml: {handler: handlers/x, issuers: any}}'),
    { kinds: ['SAML'], handlers: { SAML: 'handlers/x' } },
  ],
  ['routes', hooks('{saml: default, http: true}'), { kinds: ['SAML'], hasHttp: true }],
  [
    'stages',
    `params: {default: {}, demo: {}}\nstages: {live: {}}\n${hooks('{saml: default, stages: ["pr-*"]}')}`,
    { kinds: ['SAML'], stages: ['demo', 'live', 'pr-*'] },
  ],
  [
    'no kinds',
    `service: my-Logins_2\n${hooks(`{others: {A: b, C: null, D: "\${param:d}"}}`)}`,
    { others: { A: 'b', C: null, D: `\${param:d}` }, service: 'my-Logins_2' },
  ],
  ['nothing below custom', 'custom:', {}],
  ['the service from a variable', `service: \${env:SERVICE}`, {}],
  [
    'tags of CloudFormation',
    `service: a\nresources: {Outputs: {A: {Value: !Sub "\${B}"}}}`,
    { service: 'a' },
  ],
  ['merged maps', 'custom: {loginHooks: &a {saml: default}}\nb: {<<: *a}', { kinds: ['SAML'] }],
])('reads %s', (_, text, expected) => {
  expect(read(text)).toEqual({ ...NOTHING, ...expected });
});

test('reads JSON', () => {
  const text = JSON.stringify({ service: 'a', custom: { loginHooks: { saml: 'default' } } });
  expect(read(text, 'serverless.json')).toEqual({ ...NOTHING, kinds: ['SAML'], service: 'a' });
});

test.each(['serverless.js', 'serverless.ts'])('refuses %s, and does not run it', (name) => {
  expect(() => read('throw new Error();', name)).toThrow(
    `${name}: expected serverless.yml or serverless.json, because nothing reads a configuration that is code`,
  );
});

test('reads nothing where there is no file', () => {
  expect(readConfiguration(join(folder, 'none.yml'))).toEqual(NOTHING);
});

describe('refuses', () => {
  const MODULE = 'expected a module that is written out, such as handlers/keycloak, or default';
  test.each([
    [
      'a kind that does not exist',
      '{oidc: default}',
      'oidc: expected only openid, saml, http, stages, others',
    ],
    ['a variable', `{openid: "\${env:HANDLER}"}`, `openid: ${MODULE}`],
    [
      'a variable among others',
      `{openid: {handler: "\${env:HANDLER}", issuers: any}}`,
      `openid.handler: ${MODULE}`,
    ],
    ['no module', '{openid: }', `openid: ${MODULE}`],
    ['other issuers', '{openid: {handler: handlers/x, issuers: some}}', `openid: ${MODULE}`],
    ['a text for routes', '{openid: default, http: "yes"}', 'http: expected true or false'],
    ['a name without a reason', '{others: {A: ""}}', 'others.A: expected a text that is not empty'],
    ['names in a list', '{others: [A]}', 'others: expected a map of reasons'],
    ['a list', '[openid]', 'expected an object'],
  ])('%s', (_, written, problem) => {
    expect(() => read(hooks(written))).toThrow(`serverless.yml: custom.loginHooks: ${problem}`);
  });

  test('custom from a file', () => {
    expect(() => read(`custom: \${file(custom.yml)}`)).toThrow(
      'serverless.yml: custom: expected a map that is written out',
    );
  });

  test.each(['a: [', '- a', ''])('a file that is no configuration: %j', (text) => {
    expect(() => read(text)).toThrow('serverless.yml: expected ');
  });
});
