/** The worked handlers, as they stand in `handlers/`. */
import { mapOpenIdLogin, type OpenIdHandler, type SamlHandler } from 'login-hooks';
import acceptUnverifiedEmail from '../../../handlers/accept-unverified-email.ts';
import directoryLookup from '../../../handlers/directory-lookup.ts';
import edugainFederation from '../../../handlers/edugain-federation.ts';
import emailDomain from '../../../handlers/email-domain.ts';
import entraGroupTable from '../../../handlers/entra-group-table.ts';
import entraGroups from '../../../handlers/entra-groups.ts';
import keycloakRoles from '../../../handlers/keycloak-roles.ts';
import orcidEmail from '../../../handlers/orcid-email.ts';
import renamedAttributes from '../../../handlers/renamed-attributes.ts';
import staffGroup from '../../../handlers/staff-group.ts';
import userInfoProfile from '../../../handlers/userinfo-profile.ts';
import { USER_INFO_GROUPS } from '../workedMappings.ts';

const { USERINFO_ISSUER = 'https://connect.surfconext.example' } = process.env;

export const workedOpenId: Readonly<Record<string, OpenIdHandler>> = {
  'accept-unverified-email': acceptUnverifiedEmail,
  'email-domain': emailDomain,
  'entra-group-table': entraGroupTable,
  'entra-groups': entraGroups,
  'keycloak-roles': keycloakRoles,
  'orcid-email': orcidEmail,
  'userinfo-profile': userInfoProfile,
  'userinfo-groups': mapOpenIdLogin({
    ...USER_INFO_GROUPS,
    issuers: { [USERINFO_ISSUER]: { userinfo: true } },
  } as never),
};

export const workedSaml: Readonly<Record<string, SamlHandler>> = {
  'directory-lookup': directoryLookup,
  'edugain-federation': edugainFederation,
  'renamed-attributes': renamedAttributes,
  'staff-group': staffGroup,
};
