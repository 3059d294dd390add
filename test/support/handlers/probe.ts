/** Does what the event's claims say with the toolkit, and answers what came of it. For tests. */
import {
  endpoint,
  error,
  getBinarySecret,
  getJsonSecret,
  getSecret,
  LookUpFailed,
  lookUp,
  type OpenIdHandler,
  SecretFailed,
  url,
} from 'login-hooks';
import * as v from 'valibot';

/** For handlers that a test writes: modules outside of the bundle do not find `login-hooks`. */
export * from 'login-hooks';
export { v };

const Answer = v.object({ ok: v.boolean(), n: v.optional(v.number()) });

interface ProbeClaims {
  op: string;
  path?: string;
  id?: string;
  options?: object;
  catches?: boolean;
}

const probe: OpenIdHandler = async (event) => {
  const {
    op,
    path = '',
    id = '',
    options = {},
    catches = true,
  } = event.id_token.other_claims as unknown as ProbeClaims;
  try {
    return error(JSON.stringify(await run(op, path, id, options)));
  } catch (failure) {
    if (!catches || !(failure instanceof LookUpFailed || failure instanceof SecretFailed)) throw failure;
    const { code, message } = failure;
    const where =
      failure instanceof LookUpFailed
        ? { host: failure.host, status: failure.status }
        : { id: failure.secretId };
    return error(JSON.stringify({ code, ...where, message }));
  }

  async function run(op: string, path: string, id: string, options: object): Promise<unknown> {
    if (op === 'secret') return getSecret(id, options);
    if (op === 'json') return getJsonSecret(id, Answer, options);
    if (op === 'binary') return [...(await getBinarySecret(id, options))];
    const base = endpoint(process.env.PROBE_URL ?? '');
    return lookUp(url`${base}/${path}?value=${id}`, Answer, { allowHttp: true, ...options });
  }
};

export default probe;
