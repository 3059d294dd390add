/** Stored events on the engine. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Engine } from '../../tools/local/engine.ts';
import type { SampleEvent } from '../../tools/local/events.ts';
import { Samples } from '../../tools/local/samples.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { openIdEvent } from '../support/wire.ts';

const folder = temporaryFolder();
const HANDLER = `import { forbidden } from 'login-hooks';\nexport default () => forbidden(String(Math.random()));\n`;

const event = openIdEvent();
const SAMPLE: SampleEvent = {
  ...{ functionName: 'openidLoggedIn', name: 'ada', file: join(folder, 'ada.json') },
  ...{ event, expected: null, recordings: null },
};

test('a stored event is asked again where its handler or its content changed, and only then', async () => {
  const [file, other] = [join(folder, 'random.ts'), join(folder, 'other.ts')];
  await Promise.all([writeFile(file, HANDLER), writeFile(other, HANDLER)]);
  const engine = await Engine.open({ handlers: [file, other], isAlone: true, watched: [] });
  const samples = new Samples(engine, { isOffline: true });
  const message = async (handler: string, one = SAMPLE) =>
    (await samples.invoke(one, engine.moduleOf(handler))).response?.message;
  let changed = Promise.withResolvers<void>();
  engine.watch({ onChange: () => changed.resolve() });
  try {
    const first = [await message(file), await message(other)];
    expect([await message(file), await message(other)]).toEqual(first);
    changed = Promise.withResolvers();
    await writeFile(file, `${HANDLER}\n// Changed.\nexport const changed = true;\n`);
    await changed.promise;
    expect(await message(other)).toBe(first[1]);
    expect(await message(file)).not.toBe(first[0]);
    const later = { ...event, expiresIn: 61 };
    expect(await message(other, { ...SAMPLE, event: later })).not.toBe(first[1]);
  } finally {
    await engine.close();
  }
});

test('closing leaves no file, and each later event has a result', async () => {
  const file = join(folder, 'closed.ts');
  await writeFile(file, HANDLER);
  const engine = await Engine.open({ handlers: [file], isAlone: true });
  await engine.close();
  const samples = new Samples(engine, { isOffline: true });
  const reasonOf = async () => (await samples.invoke(SAMPLE, engine.moduleOf(file))).reason;
  expect([await reasonOf(), await reasonOf()]).toEqual(['crash', 'crash']);
  expect(existsSync(engine.root)).toBe(false);
});
