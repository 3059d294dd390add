/** Asks the bench's own server: for a secret, or for the path that the event's subject names. */

import { endpoint, error, getSecret, lookUp, type OpenIdHandler, url } from 'login-hooks';
import * as v from 'valibot';

const outside: OpenIdHandler = async (event) => {
  const { sub } = event.id_token;
  if (sub === 'secret') return error(await getSecret('bench'));
  const address = url`${endpoint(process.env.BENCH_URL ?? '')}/${sub}`;
  const { ok } = await lookUp(address, v.object({ ok: v.string() }), { allowHttp: true });
  return error(ok);
};

export default outside;
