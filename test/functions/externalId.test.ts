/** A permanent identifier of the person, for receivers that know one. */
import { expect, test } from '@jest/globals';
import { answerOf, withFunction } from '../support/bundle.ts';
import { customHandler } from '../support/customHandler.ts';
import { PROBE_BUNDLE, PROBE_SDK } from '../support/probeBundle.ts';
import { attribute, openIdEvent, samlEvent } from '../support/wire.ts';

const { outdir: root } = PROBE_BUNDLE;

test('of an assertion is taken within the scopes of each rule of the mapping for the issuer, or has its issuer in front', async () => {
  const module = await customHandler(`
      import { mapSamlLogin } from '${PROBE_SDK}';
      const campus = mapSamlLogin({ rules: [{ scopes: ['*.uni.example', 'uni.example', 'other.example'] }],
        issuers: { 'https://idp.example.org/saml': { rules: [{ scopes: ['*.uni.example', 'uni.example'] }] },
          'https://other.example.org': { external_id: { issuer: true } },
        } });
      export default (event) => ({ ...campus(event) });`);
  const env = { SAML_EXTERNAL_ID: 'subject_id', SAML_HANDLER_MODULE: module };
  await withFunction('samlLoggedIn', { env, root }, async (fn) => {
    const answered = async (id: string, issuer = 'https://idp.example.org/saml') => {
      const event = samlEvent();
      event.assertion.assertionIssuer = issuer;
      event.assertion.assertionAttributeStatement.push(
        attribute('urn:oid:1.3.6.1.4.1.5923.1.1.1.9', 'member@uni.example'),
        attribute('urn:oasis:names:tc:SAML:attribute:subject-id', id),
      );
      const { answer, record } = await answerOf(fn, event);
      return answer.external_id ?? record?.reason;
    };
    expect(await answered('Ada@UNI.example')).toBe('ada@uni.example');
    expect(await answered('ada@cs.uni.example')).toBe('ada@cs.uni.example');
    expect(await answered('ada@other.example')).toBe('rule_refused');
    expect(await answered('ada@evil.example')).toBe('rule_refused');
    const other = 'https://other.example.org';
    expect(await answered('ada@other.example', other)).toBe(`${other}|ada@other.example`);
  });
});

test('is taken before a handler changes the event, and a handler’s own stays', async () => {
  const module = await customHandler(`
    export default ({ id_token }) => {
      const { own } = id_token.other_claims;
      id_token.sub = 'changed';
      return { type: 'AuthorizedUserResponse', first_name: 'A', last_name: 'B', email: 'a@b', ...own };
    };`);
  const env = { OPENID_EXTERNAL_ID: 'sub', OPENID_HANDLER_MODULE: module, RESPONSE_NAMES: 'camelCase' };
  await withFunction('openidLoggedIn', { env }, async (fn) => {
    const answered = async (own: object) => {
      const event = openIdEvent();
      Object.assign(event.idToken.otherClaims, { own });
      return answerOf(fn, event);
    };
    const { sub } = openIdEvent().idToken;
    expect((await answered({})).answer).toMatchObject({ externalId: sub });
    const own = { external_id: 'own', external_label: 'Ada\u0000' };
    expect((await answered(own)).answer).toMatchObject({ externalId: 'own', externalLabel: 'Ada' });
    expect((await answered({ external_label: null })).answer).toMatchObject({ externalLabel: null });
    expect((await answered({ external_id: '' })).record?.reason).toBe('answer_invalid');
    expect((await answered({ external_id: 7 })).record?.reason).toBe('answer_invalid');
  });
});
