import { Choice, type Option } from '../parts/Choice.tsx';
import { Field } from '../parts/Field.tsx';
import { TextOrFile } from '../paste/TextOrFile.tsx';
import type { Draft } from './draft.ts';
import type { OnDraft } from './useDraft.ts';

const FROM: readonly Option<Draft['metadataFrom']>[] = [
  { value: 'address', title: 'By its address' },
  { value: 'text', title: 'From a file, or pasted' },
];

export function SamlFields({ draft, onDraft }: { draft: Draft; onDraft: OnDraft }) {
  return (
    <>
      <Choice
        legend="Metadata of the provider"
        options={FROM}
        value={draft.metadataFrom}
        onValue={(metadataFrom) => onDraft({ metadataFrom })}
      />
      {draft.metadataFrom === 'address' ? (
        <Field
          label="Address of the metadata"
          placeholder="e.g. https://idp.example.edu/saml/metadata"
          isRequired
          value={draft.metadataUrl}
          onText={(metadataUrl) => onDraft({ metadataUrl })}
        />
      ) : (
        <TextOrFile
          label="Metadata"
          hint="Paste the XML, or drop a file."
          text={draft.metadata}
          onText={(metadata) => onDraft({ metadata })}
        />
      )}
      <Field
        label="Entity ID of the provider"
        hint="Only for the metadata of a federation, which has many providers."
        value={draft.entityId}
        onText={(entityId) => onDraft({ entityId })}
      />
    </>
  );
}
