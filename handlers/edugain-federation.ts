/**
 * Universities of a federation, each trusted for its own people alone: any identity provider of a federation can
 * assert any address and any scope.
 */
import { DEFAULTS, mapSamlLogin } from '#sdk';

export default mapSamlLogin({
  affiliation: [DEFAULTS],
  issuers: {
    'https://idp.example.ac.uk/idp/shibboleth': {
      rules: [{ scopes: ['example.ac.uk'], affiliations: ['member'] }, { email_domains: ['example.ac.uk'] }],
    },
    'https://login.uni.example/saml2/idp/metadata': {
      affiliation: { fallback: 'Example University' },
      rules: [{ scopes: ['uni.example', '*.uni.example'], affiliations: ['staff', 'faculty'] }],
    },
  },
});
