/** The key of the sample file: good on a developer's machine, where secrets come from that file. */
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import samples from '../../secrets.sample.json' with { type: 'json' };
import { PROJECT } from '../../tools/shared/project.ts';

// Read at the first request for a key.
process.env.SECRETS_FILE = join(PROJECT, 'secrets.sample.json');
const { signingKeys } = await import('../../lib/webhook/signingKeys.ts');

test('the key of the sample file is good where secrets come from a file', async () => {
  const base64 = samples['login-hooks/signing'].replace('whsec_', '');
  expect(await signingKeys('login-hooks/signing')).toEqual([Buffer.from(base64, 'base64')]);
});
