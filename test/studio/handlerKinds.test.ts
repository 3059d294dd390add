import { expect, test } from '@jest/globals';
import { kindsIn } from '../../tools/studio/handlerKinds.ts';

test.each([
  ["import { mapOpenIdLogin } from 'login-hooks';", ['OpenID']],
  ['import {\n  DEFAULTS,\n  mapSamlLogin,\n} from "login-hooks";', ['SAML']],
  ["import type { SamlHandler } from 'login-hooks';", ['SAML']],
  ["import { handleOpenIdUserLoggedIn, handleSamlUserLoggedIn } from 'login-hooks';", ['OpenID', 'SAML']],
  ["import { forbidden } from 'login-hooks'; // not mapSamlLogin", ['OpenID', 'SAML']],
  ["import { mapSamlLogin } from './own.ts';\nimport { forbidden } from 'login-hooks';", ['OpenID', 'SAML']],
  ["export default () => ({ type: 'ForbiddenResponse' });", ['OpenID', 'SAML']],
])('a handler with %j may be for %j', (source, kinds) => {
  expect(kindsIn(source)).toEqual(kinds);
});
