import { loginFunction } from '../lib/login/loginFunction.ts';
import { OPENID } from '../lib/openid/kind.ts';

export const handler = await loginFunction(OPENID, new URL('..', import.meta.url));
