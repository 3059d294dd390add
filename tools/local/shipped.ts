/** The samples of this repository: all other events are an operator's own, as all are in a project of their own. */
import { IS_OWN_PROJECT } from '../shared/project.ts';
import type { SampleEvent } from './events.ts';

/** In `events/<function>/`, with a space between two names. */
const SAMPLES: Readonly<Record<string, string>> = {
  openidLoggedIn: `
    apple auth0-namespaced-claims authentik cilogon cognito email-verified-as-string entra entra-few-groups entra-group-overage
    entra-groups entra-guest entra-no-such-group entra-other-tenant entra-other-tenant-groups entra-other-tenant-overage
    entra-proven-address entra-unproven-address entra-unverified-domain gitlab google-workspace http-alb
    http-api-v2 http-function-url http-invalid-event http-rest-v1 keycloak-foreign-address keycloak-nested-roles
    keycloak-no-groups keycloak-one-text keycloak-other-realm keycloak-other-realm-unverified keycloak-suspended
    keycloak-suspended-group keycloak-unverified-email keycloak-unverified-email-accepted okta orcid
    orcid-other-issuer pingone service-form surfconext-no-profile-claims surfconext-other-issuer zitadel`,
  samlLoggedIn: `
    adfs auth0-unverified-email directory-other-issuer display-name-only edugain-department
    edugain-foreign-address edugain-foreign-rector edugain-foreign-scope edugain-joined-affiliations
    edugain-member edugain-unlisted-issuer empty-friendly-name entra entra-group-overage entra-guest glued-mails
    google-workspace http-alb http-api-v2 http-function-url http-rest-v1 keycloak keycloak-other-realm-staff
    keycloak-staff multi-valued-mail name-id-email-only okta onelogin onelogin-other-account pingfederate
    service-form shibboleth-no-email shibboleth-research-and-scholarship spid two-different-mails`,
};

export function isOwnSample({ functionName, name }: Pick<SampleEvent, 'functionName' | 'name'>): boolean {
  return IS_OWN_PROJECT || !SAMPLES[functionName]?.split(/\s+/).includes(name);
}
