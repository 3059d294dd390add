/** The name or ARN of a secret in AWS Secrets Manager, and what an operator puts in its place by mistake: the secret itself. */

const ARN = /^arn:[a-z-]+:secretsmanager:[a-z0-9-]+:\d{12}:secret:[A-Za-z0-9/_+=.@-]+$/;
/** The characters that names may have (CreateSecret, parameter Name). */
const NAME = /^[A-Za-z0-9/_+=.@-]{1,512}$/;

/** Keys as Standard Webhooks writes them, and JSON Web Tokens. */
const PREFIX_OF_SECRETS = /^(?:whsec_|whsk_|eyJ)/;
/** Base64, or hexadecimal digits, of 24 bytes or more. A path of lower-case words has the same characters. */
const KEY = /^(?![a-z/]*$)[A-Za-z0-9+/]{32,}={0,2}$/;

/** Whether a text can name a secret, and does not look like one. A name that looks like one can be given by its ARN. */
export function isSecretId(text: string): boolean {
  return ARN.test(text) || (NAME.test(text) && !PREFIX_OF_SECRETS.test(text) && !KEY.test(text));
}
