/** Looks up what the event's claims say, and answers what came of it. For tests. */
import { endpoint, error, LookUpFailed, lookUp, type OpenIdHandler, url } from 'login-hooks';
import * as v from 'valibot';

/** For handlers that a test writes: modules outside of the bundle do not find `login-hooks`. */
export * from 'login-hooks';
export { v };

const Answer = v.object({ ok: v.boolean() });

interface ProbeClaims {
  path: string;
  id?: string;
  catches?: boolean;
}

const probe: OpenIdHandler = async (event) => {
  const { path, id = '', catches = true } = event.id_token.other_claims as unknown as ProbeClaims;
  const asked = url`${endpoint(process.env.PROBE_URL ?? '')}/${path}?value=${id}`;
  try {
    return error(JSON.stringify(await lookUp(asked, Answer, { allowHttp: true })));
  } catch (failure) {
    if (!catches || !(failure instanceof LookUpFailed)) throw failure;
    const { code, host, status, message } = failure;
    return error(JSON.stringify({ code, host, status, message }));
  }
};

export default probe;
