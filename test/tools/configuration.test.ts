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

const NOTHING = { kinds: null, service: null };

test.each([
  ['the kinds and the service', 'service: a\ncustom: {loginHooks: {kinds: [openid]}}', ['OpenID'], 'a'],
  ['kinds in any order', 'custom: {loginHooks: {kinds: [saml, openid, saml]}}', ['OpenID', 'SAML'], null],
  ['no kinds', 'service: my-Logins_2\ncustom: {loginHooks: {guardedElsewhere: {A: b}}}', null, 'my-Logins_2'],
  ['nothing below custom', 'custom:', null, null],
  ['custom from a file', `custom: \${file(custom.yml)}`, null, null],
  ['the service from a variable', `service: \${env:SERVICE}`, null, null],
  ['tags of CloudFormation', `service: a\nresources: {Outputs: {A: {Value: !Sub "\${B}"}}}`, null, 'a'],
  ['merged maps', 'custom: {loginHooks: &a {kinds: [saml]}}\nb: {<<: *a}', ['SAML'], null],
])('reads %s', (_, text, kinds, service) => {
  expect(read(text)).toEqual({ kinds, service });
});

test('reads JSON', () => {
  const text = JSON.stringify({ service: 'a', custom: { loginHooks: { kinds: ['saml'] } } });
  expect(read(text, 'serverless.json')).toEqual({ kinds: ['SAML'], service: 'a' });
});

test.each(['serverless.js', 'serverless.ts'])('runs no %s', (name) => {
  expect(read('throw new Error();', name)).toEqual(NOTHING);
});

test('reads nothing where there is no file', () => {
  expect(readConfiguration(join(folder, 'none.yml'))).toEqual(NOTHING);
});

describe('refuses', () => {
  test.each([
    [
      'a kind that does not exist',
      'custom: {loginHooks: {kinds: [oidc]}}',
      'kinds[0]: expected openid or saml',
    ],
    ['kinds that are no list', 'custom: {loginHooks: {kinds: openid}}', 'kinds: expected a list'],
    ['a variable', `custom: {loginHooks: {kinds: "\${env:KINDS}"}}`, 'kinds: expected a list'],
    ['no kind at all', 'custom: {loginHooks: {kinds: []}}', 'kinds: expected at least one entry'],
    ['kinds without content', 'custom: {loginHooks: {kinds: }}', 'kinds: expected a list'],
    [
      'a misspelled key',
      'custom: {loginHooks: {kind: [openid]}}',
      'kind: expected only kinds, guardedElsewhere',
    ],
    ['a list', 'custom: {loginHooks: [kinds]}', 'expected an object'],
  ])('%s', (_, text, problem) => {
    expect(() => read(text)).toThrow(`serverless.yml: custom.loginHooks: ${problem}`);
  });

  test.each(['a: [', '- a', ''])('a file that is no configuration: %j', (text) => {
    expect(() => read(text)).toThrow('serverless.yml: expected ');
  });
});
