/** What to register at a SAML provider before one signs in there. docs/providers.md has what follows: attributes and mappings. */
import type { Registration } from './registrationOpenid.ts';
import type { SamlIdentity } from './samlIdentity.ts';

type Addresses = Pick<SamlIdentity, 'entityId' | 'acsUrl'>;

interface Known {
  provider: string;
  steps: (addresses: Addresses) => string[];
}

/** @returns for each provider that docs/providers.md describes, and last for any other */
export function registrationSaml(identity: Addresses): Registration[] {
  return [...KNOWN, OTHER].map(({ provider, steps }) => ({ provider, steps: steps(identity) }));
}

const KNOWN: readonly Known[] = [
  {
    provider: 'Keycloak',
    steps: ({ entityId, acsUrl }) => [
      `Save our metadata (${entityId}) as a file, and choose it under "Clients", "Import client". By hand: create a client of type SAML with the client ID ${entityId}, enter ${acsUrl} as "Valid redirect URIs", and turn "Client signature required" off under "Keys".`,
      'Leave "Include AuthnStatement" on, and "Sign documents" or "Sign assertions".',
      'Under "Client scopes", in the scope "<client id>-dedicated", add the mappers that the client of the service has.',
      'The metadata of Keycloak is at https://<host>/realms/<realm>/protocol/saml/descriptor.',
    ],
  },
  {
    provider: 'Microsoft Entra',
    steps: ({ entityId, acsUrl }) => [
      'Under "Enterprise applications", open the application of the service, or create one of your own and choose single sign-on with SAML.',
      `Under "Basic SAML Configuration", add ${entityId} as "Identifier (Entity ID)" and ${acsUrl} as "Reply URL" (Entra accepts http only for localhost). Keep the values of the service.`,
      'Assign yourself under "Users and groups".',
      'The metadata of Entra is at the "App Federation Metadata Url", under "SAML Certificates". Each application has its own certificate.',
    ],
  },
  {
    provider: 'Okta',
    steps: ({ entityId, acsUrl }) => [
      `Under "Applications", create an app integration of type SAML 2.0, with ${acsUrl} as "Single sign-on URL" and ${entityId} as "Audience URI (SP Entity ID)".`,
      'Add the attribute statements that the application of the service has, and assign yourself.',
      'The metadata of Okta is at the "Metadata URL" of the tab "Sign On". Each application has its own issuer.',
    ],
  },
  {
    provider: 'Google',
    steps: ({ entityId, acsUrl }) => [
      `Google requires an ACS URL that begins with https://, and ours is ${acsUrl}: it does not send a response to this machine.`,
      'Sign in at the service, with the developer tools of the browser open, and paste the SAMLResponse that the browser posts.',
      `If your console accepts the address: under "Apps", "Web and mobile apps", add a custom SAML app with ${acsUrl} as "ACS URL" and ${entityId} as "Entity ID", and choose "Download metadata".`,
    ],
  },
  {
    provider: 'eduGAIN',
    steps: ({ entityId, acsUrl }) => [
      'No federation publishes a service at localhost in eduGAIN. Ask yours for its test federation, or ask one university to add our metadata to its own provider.',
      `Save our metadata as a file, and send it there: ${entityId}. Its assertion consumer service is ${acsUrl}.`,
      'Request the attributes that the service gets: mail, displayName, givenName, sn, eduPersonScopedAffiliation and an identifier.',
      'Use the metadata of one provider, by the address that the federation has for it (MDQ). From a file with several, choose one by its entityID.',
    ],
  },
];

const OTHER: Known = {
  provider: 'Any other provider',
  steps: ({ entityId, acsUrl }) => [
    `Give it our metadata, from ${entityId}: save it as a file, because a provider on another machine cannot reach this one.`,
    `By hand: our entity ID is ${entityId}, and our ACS URL is ${acsUrl} (HTTP-POST). Have the response or the assertion signed.`,
    'Have it send the same as to the service: NameID, AuthnStatement and attributes.',
    'Save its metadata as a file, or copy its address.',
  ],
};
