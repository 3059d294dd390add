/** What to do where AWS refuses a request, or does not get it: by the names of the SDK's exceptions and Node's codes. */
const LOG_IN = 'log in with the AWS CLI, or set AWS_PROFILE';
const NO_CREDENTIALS = `no AWS credentials: ${LOG_IN}`;
const CURES: Readonly<Record<string, string>> = {
  AWS_CREDENTIALS_NOT_FOUND: NO_CREDENTIALS,
  CredentialsProviderError: NO_CREDENTIALS,
  ExpiredTokenException: `the AWS credentials have expired: ${LOG_IN}`,
  UnrecognizedClientException: `AWS does not know these credentials: ${LOG_IN}`,
  InvalidClientTokenId: `AWS does not know these credentials: ${LOG_IN}`,
  InvalidSignatureException: `AWS does not accept these credentials, or the clock of this machine is wrong: ${LOG_IN}`,
};

const NOT_TRUSTED = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/;
const NOT_REACHED = /^E(CONN|NOTFOUND|AI_AGAIN|PIPE|HOSTUNREACH|NETUNREACH|TIMEDOUT)|^TimeoutError$/;

interface Failure {
  name?: string;
  code?: string;
  message?: string;
  hostname?: string;
}

/** @returns a sentence; null for an error that is of the request itself */
export function awsFailure({ name = '', code = '', message, hostname }: Failure): string | null {
  if (message === 'Region is missing') return 'no AWS region: set AWS_REGION';
  if (NOT_TRUSTED.test(code)) {
    return 'the certificate of AWS is not trusted: set NODE_EXTRA_CA_CERTS to the file of its authority';
  }
  if (NOT_REACHED.test(code) || NOT_REACHED.test(name)) {
    return `AWS cannot be reached${hostname ? ` at ${hostname}` : ''}: check the region, the network and the proxy`;
  }
  return CURES[code] ?? CURES[name] ?? null;
}
