/** The worked handlers, as they stand in `handlers/`. */
import type { OpenIdHandler, SamlHandler } from '#sdk';
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

export const workedOpenId: Readonly<Record<string, OpenIdHandler>> = {
  'accept-unverified-email': acceptUnverifiedEmail,
  'email-domain': emailDomain,
  'entra-group-table': entraGroupTable,
  'entra-groups': entraGroups,
  'keycloak-roles': keycloakRoles,
  'orcid-email': orcidEmail,
  'userinfo-profile': userInfoProfile,
};

export const workedSaml: Readonly<Record<string, SamlHandler>> = {
  'directory-lookup': directoryLookup,
  'edugain-federation': edugainFederation,
  'renamed-attributes': renamedAttributes,
  'staff-group': staffGroup,
};
