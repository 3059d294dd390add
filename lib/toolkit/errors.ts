import { OutsideSystemFailed } from '../errors.ts';

export type LookUpCode =
  | 'lookup_timed_out'
  | 'lookup_connection_failed'
  | 'lookup_status'
  | 'lookup_redirected'
  | 'lookup_too_large'
  | 'lookup_not_json'
  | 'lookup_unexpected'
  | 'lookup_url_refused';

/** Thrown when a look-up over HTTP failed. Never holds the query, a header or a body. */
export class LookUpFailed extends OutsideSystemFailed {
  readonly code: LookUpCode;
  /** The other system's host, with the port where it is not the usual one. */
  readonly host: string;
  /** The HTTP status, where there was an answer. */
  readonly status: number | null;

  constructor(code: LookUpCode, host: string, status: number | null = null, problems?: string[]) {
    super({
      host,
      ...(status !== null && { lookUpStatus: status }),
      ...(problems && { problems }),
    });
    this.code = code;
    this.host = host;
    this.status = status;
  }
}

export type SecretCode =
  | 'secret_not_found'
  | 'secret_access_denied'
  | 'secret_throttled'
  | 'secret_service_failed'
  | 'secret_timed_out'
  | 'secret_unusable'
  | 'secret_failed';

/** Thrown when a secret is not available. Names the secret's id, never its value. */
export class SecretFailed extends OutsideSystemFailed {
  readonly code: SecretCode;
  readonly secretId: string;

  /** @param because the name of what the AWS SDK threw, where it tells more than the code */
  constructor(code: SecretCode, secretId: string, problems?: string[], because?: string) {
    super({ secretId, ...(problems && { problems }), ...(because && { because }) });
    this.code = code;
    this.secretId = secretId;
  }
}
