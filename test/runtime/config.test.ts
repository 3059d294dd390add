import { expect, test } from '@jest/globals';
import { readConfiguration } from '../../lib/runtime/config.ts';

test('needs no setting', () => {
  expect(readConfiguration({})).toEqual({
    problems: [],
    settings: {
      openidHandlerModule: null,
      samlHandlerModule: null,
      responseNames: 'snake_case',
      handlerTimeoutMs: null,
      maxBodyBytes: 1_048_576,
      secretTtlSeconds: 300,
      secretsFile: null,
    },
    logging: { level: 'INFO', isJson: false },
  });
});

test.each([
  [{ OPENID_HANDLER_MODULE: 'handlers/x' }, { openidHandlerModule: 'handlers/x' }],
  [{ SAML_HANDLER_MODULE: '/opt/x.mjs' }, { samlHandlerModule: '/opt/x.mjs' }],
  [{ RESPONSE_NAMES: 'camelCase' }, { responseNames: 'camelCase' }],
  [{ HANDLER_TIMEOUT_MS: '1500' }, { handlerTimeoutMs: 1500 }],
  [{ MAX_BODY_BYTES: '1' }, { maxBodyBytes: 1 }],
  [{ SECRET_TTL_SECONDS: '60' }, { secretTtlSeconds: 60 }],
  [{ SECRETS_FILE: 'secrets.json' }, { secretsFile: 'secrets.json' }],
])('reads %p', (env, settings) => {
  const configuration = readConfiguration(env);
  expect(configuration.problems).toEqual([]);
  expect(configuration.settings).toMatchObject(settings);
});

test.each([
  ['OPENID_HANDLER_MODULE', ''],
  ['SAML_HANDLER_MODULE', ''],
  ['RESPONSE_NAMES', ''],
  ['RESPONSE_NAMES', 'CamelCase'],
  ['HANDLER_TIMEOUT_MS', ''],
  ['HANDLER_TIMEOUT_MS', '0'],
  ['HANDLER_TIMEOUT_MS', '-1'],
  ['HANDLER_TIMEOUT_MS', '1.5'],
  ['HANDLER_TIMEOUT_MS', '1e3'],
  ['HANDLER_TIMEOUT_MS', ' 5'],
  ['MAX_BODY_BYTES', '0x10'],
  ['MAX_BODY_BYTES', '9999999999'],
  ['SECRET_TTL_SECONDS', '0'],
  ['SECRETS_FILE', ''],
])('%s=%j is unusable, and the problem names the setting without its value', (name, value) => {
  const { problems } = readConfiguration({ [name]: value });
  expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name}: expected `))]);
});

test.each([
  [{ AWS_LAMBDA_RUNTIME_API: 'x', AWS_LAMBDA_LOG_FORMAT: 'JSON' }, { isJson: true }],
  [{ AWS_LAMBDA_RUNTIME_API: 'x', AWS_LAMBDA_LOG_FORMAT: 'Text' }, { isJson: false }],
  [{ AWS_LAMBDA_LOG_FORMAT: 'JSON' }, { isJson: false }],
  [{ AWS_LAMBDA_LOG_LEVEL: 'debug' }, { level: 'DEBUG' }],
  [{ AWS_LAMBDA_LOG_LEVEL: 'loud' }, { level: 'INFO' }],
  [{ AWS_LAMBDA_LOG_LEVEL: 'WARN', RESPONSE_NAMES: 'unusable' }, { level: 'WARN' }],
])('logs as Lambda says, whatever else is unusable: %p', (env, logging) => {
  expect(readConfiguration(env).logging).toMatchObject(logging);
});

test('SECRETS_FILE is unusable on Lambda', () => {
  const { problems } = readConfiguration({
    SECRETS_FILE: 'secrets.json',
    AWS_LAMBDA_RUNTIME_API: '127.0.0.1:9001',
  });
  expect(problems).toEqual([expect.stringMatching(/^SECRETS_FILE: expected to be unset on Lambda/)]);
});
