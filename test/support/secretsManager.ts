/** Secrets Manager's protocol on loopback, with one secret whose versions a test sets. */
import { httpServer, sendJson } from './servers.ts';

const DAY_SECONDS = 24 * 60 * 60;

/** What a request gets: a version as GetSecretValue gives it, a failure, or one of both later. */
type Version = Answer | Promise<Answer>;
type Answer =
  | { SecretString?: string; SecretBinary?: string; CreatedDate?: number }
  | { __type: string; status: number };

export async function playSecretsManager() {
  const server = await httpServer(async (_, response, body) => {
    const { VersionStage } = JSON.parse(body) as { VersionStage: 'AWSCURRENT' | 'AWSPREVIOUS' };
    const version = await manager[VersionStage];
    const status = 'status' in version ? version.status : 200;
    sendJson(response, version, status);
  });
  const manager = {
    /** The settings by which a function asks here. */
    env: {
      AWS_ENDPOINT_URL: server.url,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    },
    AWSCURRENT: failure('ResourceNotFoundException') as Version,
    AWSPREVIOUS: failure('ResourceNotFoundException') as Version,
    requests: server.requests,
    close: server.close,
  };
  return manager;
}

/** A version of a secret that was made so many days ago. */
export function version(SecretString: string, ageDays: number) {
  return { SecretString, CreatedDate: Date.now() / 1_000 - ageDays * DAY_SECONDS };
}

export function failure(__type: string, status = 400) {
  return { __type, status };
}
