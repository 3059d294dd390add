import { loginFunction } from '../lib/login/loginFunction.ts';
import { SAML } from '../lib/saml/kind.ts';

export const handler = await loginFunction(SAML, new URL('..', import.meta.url));
