/** A real login at one's own provider. */
import { SAML_METADATA } from '../../signIn/callback.ts';
import type { SignInRefused } from '../../signIn/refusals.ts';
import { hrefTo } from '../address.ts';
import type { Registration, SignInResult } from '../signIns.ts';
import { PROTOCOLS, type Protocol } from '../words.ts';
import {
  Choice,
  Code,
  CopyButton,
  Field,
  type FieldProps,
  Findings,
  LongText,
  Panel,
  Terms,
} from './parts.tsx';

interface SignInProps {
  /** Whose steps are shown, by its name in the registration. */
  provider: string;
  registration: Registration;
}

export function SignInView({ provider, registration }: SignInProps) {
  const { protocol, protocols, providers, last, secretNames } = registration;
  const names = providers.map((one) => one.provider);
  return (
    <div class="page">
      <h1>Sign in at your provider</h1>
      <p class="lead">
        Log in as you do for your service. The studio shows what the provider sends and how your handler
        responds. The login stays in the memory of this machine until <code>npm start</code> ends.
      </p>
      <form class="choices" data-address={hrefTo('sign-in')}>
        <Choice id="protocol" label="Protocol" values={protocols} titles={PROTOCOLS} value={protocol} />
        <Choice id="provider" label="Provider" none="choose your provider" values={names} value={provider} />
      </form>
      <div class="sign-in">
        <Register provider={provider} registration={registration} />
        <Panel title="2. Sign in there">
          <form data-action={`sign-in/${protocol}`} data-outcome="started">
            {FIELDS[protocol].map((field) => (
              <Field {...field} value={last[field.id] ?? field.value} />
            ))}
            {protocol === 'openid' && secretNames.length > 0 && (
              <Choice
                id="secretName"
                label="Or a secret of SECRETS_FILE"
                none="none"
                values={secretNames}
                value={last.secretName}
              />
            )}
            <p class="actions">
              <button type="submit" class="main">
                Sign in at the provider
              </button>
              <button type="submit" name="somebodyElse" value="yes">
                Sign in as somebody else
              </button>
            </p>
          </form>
          <div id="started" class="outcome" role="alert" />
          {['', 'Keycloak'].includes(provider) && (
            <p class="note">
              Keycloak asks the person who is signed in for the password again. To sign in as somebody else
              there, choose the arrow beside the name, or open this page in a private window.
            </p>
          )}
        </Panel>
      </div>
    </div>
  );
}

const OTHER_THAN_SERVICE: Readonly<Record<Protocol, string>> = {
  openid:
    "The provider may send another client other claims, and another sub, than it sends the service. To see what the service gets, add the redirect address to the service's own client. Remove it there when you are done.",
  saml: 'For the provider, this page is another service. It may send this page other attributes, and another NameID, than it sends your service. Set up the same attributes for both.',
};

/** What the provider has to know of this page before one signs in. */
function Register({ provider, registration }: SignInProps) {
  const { protocol, addresses, providers, problem } = registration;
  const { steps = [] } = providers.find((one) => one.provider === provider) ?? {};
  return (
    <Panel title="1. Register this page at the provider">
      <ol class="provider-steps">
        {steps.map((step) => (
          <li>{step}</li>
        ))}
      </ol>
      <Terms
        rows={Object.entries(addresses).map(([name, value]) => [
          name,
          <>
            <Code text={value} /> <CopyButton text={value} label={`Copy the ${name}`} />
          </>,
        ])}
      />
      {protocol === 'saml' && problem === null && <a href={SAML_METADATA}>Our metadata, which has both</a>}
      {problem !== null && (
        <p class="older" role="alert">
          {problem}
        </p>
      )}
      <p class="note">{OTHER_THAN_SERVICE[protocol]}</p>
    </Panel>
  );
}

/** By the names under which they are sent. */
const FIELDS: Readonly<Record<Protocol, readonly FieldProps[]>> = {
  openid: [
    {
      id: 'issuer',
      label: 'Issuer',
      hint: "The value of iss in the provider's ID tokens, e.g. https://sso.example.edu/realms/campus",
    },
    { id: 'clientId', label: 'Client id' },
    {
      id: 'scopes',
      label: 'Scopes',
      hint: 'Separated by spaces. Enter those that the service asks for.',
      value: 'openid email profile',
    },
    {
      id: 'clientSecret',
      label: 'Client secret',
      hint: 'Empty for a public client. It stays in memory and is not saved.',
      isSecret: true,
    },
  ],
  saml: [
    {
      id: 'metadataUrl',
      label: "Address of the provider's metadata",
      hint: 'e.g. https://idp.example.edu/saml/metadata',
    },
    { id: 'metadata', label: 'Or the metadata itself', hint: 'Paste the XML, or choose a file.', rows: 3 },
    { id: 'entityId', label: 'Entity ID of the provider', hint: 'Only for the metadata of a federation.' },
  ],
};

/** Why a sign-in failed: in the provider's words, and what to change. */
export function Refusal({ providerMessage, fix }: Pick<SignInRefused, 'providerMessage' | 'fix'>) {
  return (
    <Panel title="Why it was refused" kind="is-bad refusal">
      {providerMessage !== null && (
        <figure>
          <figcaption>The provider says</figcaption>
          <blockquote>
            <LongText text={providerMessage} />
          </blockquote>
        </figure>
      )}
      <div class="fix">
        <LongText text={fix} />
      </div>
    </Panel>
  );
}

/** The provider seems to object: the person decides. */
export function Warned({ url, warning }: { url: string; warning: string }) {
  return (
    <Panel title="The provider may refuse this" kind="is-stopped">
      <LongText text={warning} />
      <p>
        <a class="button" href={url}>
          Go on to {new URL(url).host}
        </a>
      </p>
    </Panel>
  );
}

/** A sign-in of which no login came. */
export function NoLoginView({ result: { protocol, refused, findings } }: { result: SignInResult }) {
  return (
    <div class="page">
      <h1>
        {refused ? 'The sign-in was refused' : 'No event can be made of this sign-in'}: {PROTOCOLS[protocol]}
      </h1>
      {refused && <Refusal {...refused} />}
      {findings.length > 0 && (
        <Panel title="Findings">
          <Findings findings={findings} />
        </Panel>
      )}
      <a class="button main" href={hrefTo('sign-in', null, { protocol })}>
        Change the form and try again
      </a>
    </div>
  );
}
