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
        <ToCopy name="redirect address" value={redirectUri} />
      </dl>
      <p class="note">
        The provider may show another client other claims, and another <code>sub</code>, than it shows the
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
        <ToCopy name="entity ID" value={entityId} />
        <ToCopy name="assertion consumer service (ACS)" value={acs} />
        <ToCopy name="metadata" value={metadata}>
          <details>
            <summary>Metadata of this page, with all of the above</summary>
            <Scrolling label="Metadata of this page">
              <pre>
                <Text text={metadata} />
              </pre>
            </Scrolling>
          </details>
        </ToCopy>
      </dl>
      <p class="note">
        To the provider, this page is another service. It may release other attributes, and another NameID, to
        it than to yours. Have it release the same.
      </p>
    </>
  );
}

function ToCopy({ name, value, children }: { name: string; value: string; children?: ComponentChildren }) {
  return (
    <div>
      <dt>{`${name[0]?.toUpperCase()}${name.slice(1)}`}</dt>
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
