/** Where secrets come from: AWS Secrets Manager, or a file on a developer's machine. */
import { configuration } from '../settings.ts';

export interface StoredSecret {
  value: string | Uint8Array;
  /** When this version was made; null where the source does not say. */
  createdAt: Date | null;
}

export type SecretVersion = 'current' | 'previous';
/** @throws {SecretFailed} */
export type SecretSource = (id: string, version: SecretVersion) => Promise<StoredSecret>;

let source: Promise<SecretSource> | undefined;

/** @throws {SecretFailed} */
export async function fetchSecret(id: string, version: SecretVersion): Promise<StoredSecret> {
  return (await loadSecretSource())(id, version);
}

/** Loads the code that asks for secrets, and asks for none. */
export function loadSecretSource(): Promise<SecretSource> {
  source ??= load();
  return source;
}

async function load(): Promise<SecretSource> {
  const { secretsFile } = configuration('both').settings;
  if (secretsFile !== null) return (await import('./secretsFile.ts')).secretsFromFile(secretsFile);
  return (await import('./secretsManager.ts')).secretsFromManager();
}
