/** The files of a new handler: its source, and events with the responses that it gives to them. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { UnusableInput } from '../shared/commandLine.ts';
import { functionNameOf, issuerOf, templateOf } from './templates.ts';
import { type NewFiles, writeNew } from './writeNew.ts';

export interface NewHandler {
  /** `openid` or `saml`. */
  kind: string;
  /** Of its file, without extension. */
  name: string;
  provider: string;
  /** As the event has it. */
  issuer: string;
}

const NAME = /^[a-z\d]+(?:-[a-z\d]+)*$/;
const BIN = join(import.meta.dirname, '..', 'cli', 'bin.cjs');

/** @throws {UnusableInput} */
export async function handlerFiles(handler: NewHandler): Promise<NewFiles> {
  const { kind, name, provider } = handler;
  if (!NAME.test(name))
    throw new UnusableInput(`${name}: expected a name of lower-case letters, digits and hyphens`);
  const template = templateOf(kind, provider);
  const issuer = issuerOf(template, handler.issuer);
  const folder = `events/${functionNameOf(kind)}/${name}`;
  const files: Record<string, string> = { [`handlers/${name}.ts`]: template.mapping(issuer) };
  for (const [login, { type, event }] of Object.entries(template.logins(issuer))) {
    files[`${folder}-${login}.json`] = json(event);
    files[`${folder}-${login}.expected.json`] = json({
      handler: `handlers/${name}`,
      status: 200,
      answer: { type },
    });
  }
  return withResponses(files, handler);
}

/** Has the handler respond to its events, in a folder that is gone afterwards: so the expected responses are the true ones. */
async function withResponses(files: NewFiles, { kind, name }: NewHandler): Promise<NewFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'login-hooks-new-'));
  try {
    await writeNew(folder, {
      ...files,
      'serverless.yml': `custom: {loginHooks: {${kind}: handlers/${name}}}\n`,
    });
    const args = ['check', '--update', '--only', kind, '--handler', `handlers/${name}`];
    await promisify(execFile)(process.execPath, [BIN, ...args], { cwd: folder });
    const read = Object.keys(files).map(async (file) => [file, await readFile(join(folder, file), 'utf8')]);
    return Object.fromEntries(await Promise.all(read));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
