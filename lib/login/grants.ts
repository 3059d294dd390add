/** The record of each authorized login, where a setting asks for it. Nothing of it is loaded where none does. */
import type { Settings } from '../settings.ts';
import type { Log } from './log.ts';
import type { Login, Middleware } from './login.ts';

/** What decides: a handler, and the file of its module; null for the default handler. */
export interface GrantPolicy {
  handler: object;
  file: URL | null;
}

interface RecordingFunction {
  name: string;
  handlerSource: string;
  log: Log;
}

/** Never rejects. */
export type GrantRecorder = (fn: RecordingFunction, login: Login) => Promise<void>;

export async function loadGrantRecorder(
  settings: Settings,
  policy: GrantPolicy,
): Promise<GrantRecorder | null> {
  if (settings.grantRecords === 'off') return null;
  return (await import('./grantRecords.ts')).grantRecorder(settings, policy);
}

/** Right before the response leaves. */
export function recordGrants({
  recordGrant,
  ...fn
}: RecordingFunction & { recordGrant: GrantRecorder | null }): Middleware[] {
  return recordGrant ? [{ after: ({ context }) => recordGrant(fn, context.login) }] : [];
}
