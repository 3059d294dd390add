/** An identity provider: samlp, which takes a real request and gives a really signed response. */
import samlp, { type AuthOptions } from 'samlp';
import { generate } from 'selfsigned';

const PERSON = {
  id: 'ada',
  displayName: 'Ada Lovelace',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ value: 'ada@example.org' }],
};
const LIFETIME_SECONDS = 300;

/** What an assertion says, and how it is signed; left out, what is right. */
export type Issued = Partial<AuthOptions>;

export interface SamlProvider {
  cert: string;
  /** The answer to an AuthnRequest, as it is posted to the service. */
  respond(request: URL, issued: Issued): Promise<string>;
}

export async function samlProvider(issuer: string, acs: string): Promise<SamlProvider> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'idp.example.org' }]);

  function respond(request: URL, issued: Issued): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const answer = samlp.auth({
      ...{ issuer, key, cert, recipient: acs, destination: acs, lifetimeInSeconds: LIFETIME_SECONDS },
      ...{ sessionIndex: '_session-1', signAssertion: true },
      ...issued,
      getUserFromRequest: () => PERSON,
      getPostURL: (_audience, _request, _req, done) => done(null, acs),
      responseHandler: (response) => resolve(response.toString('base64')),
    });
    answer({ method: 'GET', query: Object.fromEntries(request.searchParams) }, {}, reject);
    return promise;
  }

  return { cert, respond };
}
