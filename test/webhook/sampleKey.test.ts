/** The key of the sample file: good on a developer's machine, where secrets come from that file. */
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import samples from '../../secrets.sample.json' with { type: 'json' };
import { PROJECT } from '../../tools/shared/project.ts';

// Read at the first request for a key.
const secretsFile = join(PROJECT, 'secrets.sample.json');
process.env.SECRETS_FILE = secretsFile;
const { signingKeys } = await import('../../lib/webhook/signature.ts');

test('the key of the sample file is good where secrets come from a file', async () => {
  const base64 = samples['login-hooks/signing'].replace('whsec_', '');
  expect(await signingKeys({ signingSecretId: 'login-hooks/signing', secretsFile })).toEqual([
    Buffer.from(base64, 'base64'),
  ]);
});
