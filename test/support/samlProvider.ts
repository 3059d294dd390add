/** An identity provider: samlp, which takes a real request and gives a really signed response. */
import samlp, { type AuthOptions } from 'samlp';
import { generate } from 'selfsigned';
import { signXml } from './signXml.ts';

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const PERSON = {
  id: 'ada',
  displayName: 'Ada Lovelace',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ value: 'ada@example.org' }],
};
const LIFETIME_SECONDS = 300;

interface Confirmation {
  method?: string;
  recipient?: string;
  lifetimeInSeconds?: number;
}

/** What an assertion says; left out, what is right. */
export interface Issued
  extends Partial<Pick<AuthOptions, 'issuer' | 'audience' | 'recipient' | 'lifetimeInSeconds'>> {
  /** The audiences of each restriction: samlp makes one restriction, these take its place. */
  restrictions?: string[][];
  /** samlp makes one confirmation, these take its place. */
  confirmations?: Confirmation[];
  /** From when on the assertion is valid: samlp says now. */
  validInSeconds?: number;
}

export interface SamlProvider {
  cert: string;
  /** The answer to an AuthnRequest, as it is posted to the service. */
  respond(request: URL, issued: Issued): Promise<string>;
}

export async function samlProvider(issuer: string, acs: string): Promise<SamlProvider> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'idp.example.org' }]);

  function respond(request: URL, { restrictions, confirmations, validInSeconds, ...issued }: Issued) {
    const isRewritten = [restrictions, confirmations, validInSeconds].some((wish) => wish !== undefined);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const answer = samlp.auth({
      ...{ issuer, key, cert, recipient: acs, destination: acs, lifetimeInSeconds: LIFETIME_SECONDS },
      sessionIndex: '_session-1',
      ...issued,
      signAssertion: !isRewritten,
      getUserFromRequest: () => PERSON,
      getPostURL: (_audience, _request, _req, done) => done(null, acs),
      responseHandler: (response) => resolve(response.toString()),
    });
    answer({ method: 'GET', query: Object.fromEntries(request.searchParams) }, {}, reject);
    return promise;
  }

  function rewrite(response: string, { restrictions, confirmations, validInSeconds }: Issued): string {
    const inResponseTo = / InResponseTo="[^"]*"/.exec(response)?.[0] ?? '';
    const confirmation = ({ method = BEARER, recipient = acs, lifetimeInSeconds }: Confirmation) =>
      `<saml:SubjectConfirmation Method="${method}"><saml:SubjectConfirmationData${inResponseTo} Recipient="${
        recipient
      }" NotOnOrAfter="${after(lifetimeInSeconds ?? LIFETIME_SECONDS)}"/></saml:SubjectConfirmation>`;
    const audience = (uri: string) => `<saml:Audience>${uri}</saml:Audience>`;
    const restriction = (uris: string[]) =>
      `<saml:AudienceRestriction>${uris.map(audience).join('')}</saml:AudienceRestriction>`;
    const unsigned = response
      .replace(/<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/s, (made) =>
        confirmations ? confirmations.map(confirmation).join('') : made,
      )
      .replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/s, (made) =>
        restrictions ? restrictions.map(restriction).join('') : made,
      )
      .replace(/NotBefore="[^"]*"/, (made) =>
        validInSeconds === undefined ? made : `NotBefore="${after(validInSeconds)}"`,
      );
    const assertion = "//*[local-name(.)='Assertion']";
    const before = `${assertion}/*[local-name(.)='Issuer']`;
    return signXml(unsigned, assertion, before, { privateKey: key, publicCert: cert });
  }

  return {
    cert,
    async respond(request, issued) {
      const response = await respond(request, issued);
      const isSigned = response.includes('SignatureValue');
      return Buffer.from(isSigned ? response : rewrite(response, issued)).toString('base64');
    },
  };
}

function after(seconds: number): string {
  return new Date(Date.now() + seconds * 1_000).toISOString();
}
