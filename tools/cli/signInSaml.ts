/** A sign-in at a SAML provider from the command line: the browser posts the response to one address of this machine. */
import type { Captured } from '../capture/captured.ts';
import { SAML_CALLBACK, SAML_METADATA } from '../signIn/addresses.ts';
import { formFields } from '../signIn/callbackForm.ts';
import { SignInRefused } from '../signIn/refused.ts';
import { registrationSamlAt } from '../signIn/registrationSaml.ts';
import { type SamlOptions, SamlSignIns } from '../signIn/saml.ts';
import { ourMetadata, samlIdentity } from '../signIn/samlIdentity.ts';
import { samlMetadataOf, samlProviderIn } from '../signIn/samlProviderMetadata.ts';
import { type WaitOptions, waitForSignIn } from './signInWait.ts';

export interface SamlCommand extends WaitOptions {
  /** The provider's metadata: an address or a file. */
  metadata: string;
  /** Of the provider, where its metadata has several. */
  entityId?: string | undefined;
  /** Whether the provider asks who signs in where somebody is signed in. Default: no. */
  somebodyElse?: boolean | undefined;
  environment: SamlOptions['environment'];
  /** The folder with `.studio/`. Default: the project's. */
  project?: string;
}

/**
 * @throws {EntityIdNeeded} where the metadata has several providers and none is chosen
 * @throws {UnusableInput} where the metadata or the port cannot be used, the provider's response is refused
 *   ({@link SignInRefused}, mostly {@link SamlRefused} with all findings), or nobody signs in
 */
export async function signInBySaml({
  metadata,
  entityId,
  somebodyElse,
  environment,
  project,
  ...waiting
}: SamlCommand): Promise<Captured> {
  const provider = samlProviderIn(await samlMetadataOf(metadata), { entityId, from: metadata });
  const identity = await samlIdentity(waiting.port, project);
  const saml = new SamlSignIns({ identity, environment });
  return waitForSignIn(
    {
      registration: registrationSamlAt(provider, identity),
      start: async () => ({
        url: await saml.start(provider, { somebodyElse }),
        warning: await saml.probe(provider).catch(untilRegistered),
      }),
      routes(app, finished) {
        app.get(SAML_METADATA, (context) =>
          context.body(ourMetadata(identity), 200, { 'content-type': 'application/samlmetadata+xml' }),
        );
        app.post(SAML_CALLBACK, async (context) =>
          finished(
            context,
            saml.finish(formFields(await context.req.text(), ['SAMLResponse', 'RelayState'])),
          ),
        );
      },
    },
    waiting,
  );
}

/** Our metadata is there while the command waits, so that it can be registered now. */
function untilRegistered(error: unknown): string {
  if (error instanceof SignInRefused) return `${error.message}\n(You can open the address after that.)`;
  throw error;
}
