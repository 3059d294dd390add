/**
 * Universities of a federation. Any identity provider of a federation can assert any address and any scope, so each
 * one is trusted for its own domains alone: every issuer here has `scopes` and `email_domains` of its own.
 */
import { DEFAULTS, mapSamlLogin } from 'login-hooks';

export default mapSamlLogin({
  affiliation: [DEFAULTS],
  issuers: {
    'https://idp.example.ac.uk/idp/shibboleth': {
      rules: [{ scopes: ['example.ac.uk'], affiliations: ['member'] }, { email_domains: ['example.ac.uk'] }],
    },
    'https://login.uni.example/saml2/idp/metadata': {
      affiliation: { fallback: 'Example University' },
      rules: [
        { scopes: ['uni.example', '*.uni.example'], affiliations: ['staff', 'faculty'] },
        { email_domains: ['uni.example', '*.uni.example'] },
      ],
    },
  },
});
