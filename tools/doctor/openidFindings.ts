/** What is told of an OpenID provider. */
import { quoted } from '../capture/findings.ts';
import { type DoctorFinding, finding, note } from './examination.ts';
import type { MappedIssuer } from './listedIssuers.ts';

export function withoutAddress(issuer: string): DoctorFinding {
  return note(
    'issuer_without_address',
    issuer,
    'The issuer is no https address without query: its provider cannot be asked.',
    'List the issuer as its discovery document has it, unless tokens have this one too.',
  );
}

export function otherIssuer(issuer: string, found: string): DoctorFinding {
  const message = `The discovery document is of the issuer ${quoted(found)}: the functions refuse its keys, and tokens with another iss.`;
  return found.includes('{tenantid}')
    ? finding(
        'discovery_issuer_of_tenants',
        issuer,
        message,
        'List the issuer of your tenant: https://login.microsoftonline.com/<tenant id>/v2.0.',
      )
    : finding(
        'discovery_issuer_differs',
        issuer,
        message,
        'List exactly the iss of ID tokens, or have the provider correct the name of its issuer.',
      );
}

export function withoutUserInfo(issuer: string): DoctorFinding {
  return finding(
    'userinfo_missing',
    issuer,
    'The mapping asks UserInfo, and the discovery document has no userinfo_endpoint with an https address: each login ends with an error.',
    'Remove userinfo from the mapping, and have the provider put the claims into the ID token.',
  );
}

export function withoutKeys(issuer: string): DoctorFinding {
  return finding(
    'key_set_unusable',
    issuer,
    'The discovery document has no jwks_uri with an https address: no ID token can be checked.',
    'Set jwks_uri in OPENID_ISSUERS, or have the provider publish it.',
  );
}

export function keysOfApplication(issuer: string, application: string, address: string): DoctorFinding {
  return finding(
    'keys_of_application',
    issuer,
    `The application ${application} has keys of its own, which the key set of the tenant lacks: ID tokens that they sign are refused.`,
    `Set jwks_uri of this issuer in OPENID_ISSUERS to ${address}`,
  );
}

/** Microsoft Graph leaves groups with hidden members out without a word. */
export function hiddenMembers(issuer: string, mapped: MappedIssuer | undefined): DoctorFinding[] {
  if (!mapped?.sources?.graph || !mapped.rules.some((rule) => 'no_group' in rule)) return [];
  return [
    note(
      'graph_hidden_members',
      issuer,
      'The mapping has no_group and asks Microsoft Graph, which leaves out groups with hidden members unless the application may read them.',
      'Grant the application Member.Read.Hidden too, if a denied group may hide its members.',
    ),
  ];
}
