import type { ComponentChildren } from 'preact';
import type { Registration } from '../../api.ts';
import { CopyButton } from '../parts/CopyButton.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Scrolling } from '../parts/Scrolling.tsx';
import { Selection } from '../parts/Selection.tsx';
import { Text } from '../parts/Text.tsx';
import type { Draft } from './draft.ts';
import type { OnDraft } from './useDraft.ts';

interface RegisterProps {
  registration: Registration;
  draft: Draft;
  onDraft: OnDraft;
}

/** What the provider has to know of this page before one signs in. */
export function Register({ registration: { openid, saml }, draft, onDraft }: RegisterProps) {
  const { providers } = draft.protocol === 'openid' ? openid : saml;
  const chosen = providers.find(({ provider }) => provider === draft.provider);
  return (
    <Panel title="1. Register this page at the provider" kind="register">
      <Selection
        label="Provider"
        none="choose your provider"
        values={providers.map(({ provider }) => provider)}
        value={chosen?.provider ?? ''}
        onValue={(provider) => onDraft({ provider })}
      />
      {chosen ? (
        <ol class="provider-steps">
          {chosen.steps.map((step) => (
            <li key={step}>
              <Text text={step} />
            </li>
          ))}
        </ol>
      ) : (
        <p class="empty">Choose your provider to see where to enter the following.</p>
      )}
      {draft.protocol === 'openid' ? <ForOpenId {...openid} /> : <ForSaml {...saml} />}
    </Panel>
  );
}

function ForOpenId({ redirectUri }: Registration['openid']) {
  return (
    <>
      <dl class="to-copy">
        <ToCopy title="Redirect address" name="redirect address" value={redirectUri} />
      </dl>
      <p class="note">
        The provider may send another client other claims, and another <code>sub</code>, than it sends the
        service. To see what the service gets, add the redirect address to the service's own client. Remove it
        there when you are done.
      </p>
    </>
  );
}

function ForSaml({ entityId, acs, metadata }: Registration['saml']) {
  return (
    <>
      <dl class="to-copy">
        <ToCopy title="Entity ID" name="entity ID" value={entityId} />
        <ToCopy title="Assertion consumer service (ACS)" name="ACS address" value={acs} />
        <ToCopy title="Metadata" name="metadata" value={metadata}>
          <details>
            <summary>XML, with both of the above</summary>
            <Scrolling label="Metadata of this page">
              <pre>{metadata}</pre>
            </Scrolling>
          </details>
        </ToCopy>
      </dl>
      <p class="note">
        For the provider, this page is another service. It may send this page other attributes, and another
        NameID, than it sends your service. Set up the same attributes for both.
      </p>
    </>
  );
}

interface ToCopyProps {
  title: string;
  /** In the words of the button. */
  name: string;
  value: string;
  /** What is shown; the value where it is left out. */
  children?: ComponentChildren;
}

function ToCopy({ title, name, value, children }: ToCopyProps) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        {children ?? (
          <code>
            <Text text={value} />
          </code>
        )}
        <CopyButton text={value} label={`Copy the ${name}`} />
      </dd>
    </div>
  );
}
