import { Choice, type Option } from '../parts/Choice.tsx';
import { Field } from '../parts/Field.tsx';
import { Selection } from '../parts/Selection.tsx';
import type { Draft } from './draft.ts';
import type { OnDraft } from './useDraft.ts';

interface OpenIdFieldsProps {
  draft: Draft;
  onDraft: OnDraft;
  secretNames: readonly string[];
}

const NAMED: Option<Draft['secretFrom']> = {
  value: 'named',
  title: 'From SECRETS_FILE',
  about: 'by its name',
};

export function OpenIdFields({ draft, onDraft, secretNames }: OpenIdFieldsProps) {
  return (
    <>
      <Field
        label="Issuer"
        placeholder="e.g. https://sso.example.edu/realms/campus"
        hint="The value of iss in the provider's ID tokens."
        isRequired
        value={draft.issuer}
        onText={(issuer) => onDraft({ issuer })}
      />
      <Field
        label="Client id"
        isRequired
        value={draft.clientId}
        onText={(clientId) => onDraft({ clientId })}
      />
      <Choice
        legend="Client secret"
        options={[
          { value: 'typed', title: 'Typed here' },
          ...(secretNames.length > 0 ? [NAMED] : []),
          { value: 'none', title: 'None', about: 'a public client' },
        ]}
        value={draft.secretFrom}
        onValue={(secretFrom) => onDraft({ secretFrom })}
      />
      <Secret draft={draft} onDraft={onDraft} secretNames={secretNames} />
      <Field
        label="Scopes"
        hint="Separated by spaces. Enter those that the service asks for."
        value={draft.scopes}
        onText={(scopes) => onDraft({ scopes })}
      />
    </>
  );
}

function Secret({ draft, onDraft, secretNames }: OpenIdFieldsProps) {
  if (draft.secretFrom === 'none') return null;
  if (draft.secretFrom === 'named') {
    return (
      <Selection
        label="Name of the secret"
        none="choose a secret"
        values={secretNames}
        value={draft.secretName}
        onValue={(secretName) => onDraft({ secretName })}
      />
    );
  }
  return (
    <Field
      label="Secret"
      hint="It stays in memory and is not saved. Type it again for each sign-in."
      isRequired
      isSecret
      value={draft.clientSecret}
      onText={(clientSecret) => onDraft({ clientSecret })}
    />
  );
}
