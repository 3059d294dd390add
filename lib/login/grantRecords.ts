/** Who was let in by which policy, for an audit. A record has paths, digests, user groups and the issuer, and no other value of the event. */
import { createHash, createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { withinDeadline } from '../deadline.ts';
import { MAPPING } from '../profile/decide.ts';
import type { AuthorizedUserResponse } from '../profile/response.ts';
import { asLoginError, SecretFailed } from '../reasons.ts';
import { isJsonObject } from '../schema.ts';
import type { Settings } from '../settings.ts';
import { loadSecretSource } from '../toolkit/secretSource.ts';
import { storedSecret } from '../toolkit/secrets.ts';
import type { GrantPolicy, GrantRecorder } from './grants.ts';
import { shownIssuer } from './log.ts';
import type { Login } from './login.ts';

/** As many as the hash has (RFC 2104 section 3). */
const MIN_KEY_BYTES = 32;
/** A record stays short, however many groups there are. */
const MAX_GROUPS = 100;

/** Writes a record of an authorized login, at level INFO. A person that cannot be hashed is left out, with the reason. */
export async function grantRecorder(settings: Settings, policy: GrantPolicy): Promise<GrantRecorder> {
  const { grantRecordsSecretId: secretId } = settings;
  const digest = await digestOf(policy);
  if (secretId !== null) await loadSecretSource();
  return async ({ name, handlerSource, log }, login) => {
    const { response, invocation, grants } = login;
    if (response?.type !== 'AuthorizedUserResponse') return;
    const { rules, rows } = grants?.() ?? { rules: [], rows: {} };
    const groups = response.user_group_uuids.slice(0, MAX_GROUPS).map((uuid) => [uuid, rows[uuid] ?? []]);
    log.info({
      ...{ event: 'grant', requestId: invocation.requestId, function: name, handler: handlerSource },
      ...shownIssuer(login),
      ...{ policy: digest, rules, groups: Object.fromEntries(groups) },
      groupCount: response.user_group_uuids.length,
      ...(secretId !== null && (await personOf(response, login, secretId))),
    });
  };
}

/** Of a mapping's JSON, or of the handler's file; `default` for the default handler. */
async function digestOf({ handler, file }: GrantPolicy): Promise<string> {
  if (file === null) return 'default';
  const mapping = (handler as { [MAPPING]?: unknown })[MAPPING];
  const policy = mapping === undefined ? await readFile(file) : canonicalJson(mapping);
  return `sha256:${createHash('sha256').update(policy).digest('hex')}`;
}

/** With the keys of each object in order: the same mapping, written in another order, is the same policy. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    isJsonObject(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

/** HMAC-SHA-256 of `["<issuer>","<identifier or address>"]`, in hexadecimal digits. */
async function personOf(
  { external_id, email }: AuthorizedUserResponse,
  { issuer, invocation }: Login,
  secretId: string,
): Promise<{ person: string } | { personLeftOut: string }> {
  const timedOut = () => new SecretFailed('secret_timed_out', secretId);
  try {
    const key = await withinDeadline(invocation, () => personKey(secretId), timedOut);
    const text = JSON.stringify([issuer, external_id ?? email]);
    return { person: createHmac('sha256', key).update(text).digest('hex') };
  } catch (error) {
    return { personLeftOut: asLoginError(error).code };
  }
}

/** @throws {SecretFailed} also `secret_unusable`, for a secret of less than 32 bytes: the hashes of few people are soon tried */
export async function personKey(secretId: string): Promise<Uint8Array> {
  // No login waits again and again for what is a part of a record.
  const { value } = await storedSecret(secretId, {}, true);
  const key = Buffer.from(value);
  if (key.length >= MIN_KEY_BYTES) return key;
  throw new SecretFailed('secret_unusable', secretId, [`expected at least ${MIN_KEY_BYTES} bytes`]);
}
