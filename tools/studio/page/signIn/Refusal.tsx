import type { SignInResult } from '../../api.ts';
import { Panel } from '../parts/Panel.tsx';
import { LongText } from '../parts/Text.tsx';

type RefusalProps = NonNullable<SignInResult['refused']> & { title: string };

/** Why a sign-in failed: in the provider's words, and what to change. */
export function Refusal({ title, theirs, ours }: RefusalProps) {
  return (
    <Panel title={title} kind="is-bad refusal">
      {theirs !== null && (
        <figure>
          <figcaption>The provider says</figcaption>
          <blockquote>
            <LongText text={theirs} />
          </blockquote>
        </figure>
      )}
      <p class="cure">
        <LongText text={ours} />
      </p>
    </Panel>
  );
}
