/** A login that was caught elsewhere. */
import type { Captured } from '../../capture/captured.ts';
import { counted } from '../../shared/readable.ts';
import { hrefTo } from '../address.ts';
import type { Row } from '../row.ts';
import { Field, Findings, Panel, Shape, Text } from './parts.tsx';

export function PasteView() {
  return (
    <div class="page">
      <h1>Paste a login</h1>
      <p class="lead">
        Log in at the service with the browser's developer tools open, and bring your capture here: a
        SAMLResponse, tokens, a recording of the browser, or an event. It stays in the memory of this machine
        until <code>npm start</code> ends.
      </p>
      <form data-action="paste" data-outcome="captures">
        <Field id="text" label="Capture" hint="Paste it here, or choose a file of 10 MB at most." rows={10} />
        <Field
          id="metadata"
          label="SAML metadata of the provider"
          hint="Optional: without it, the signature is not checked."
          rows={3}
        />
        <button type="submit" class="main">
          Read it
        </button>
      </form>
      <section id="captures" class="outcome" aria-label="Captured logins" />
    </div>
  );
}

/** Something that was found in a paste; without a row where no event can be made of it. */
export interface Capture extends Pick<Captured, 'kind' | 'where' | 'findings'> {
  row: Row | null;
}

export function Captures({ captures }: { captures: readonly Capture[] }) {
  return (
    <>
      <h2 tabindex={-1}>{counted(captures.length, 'capture')} found</h2>
      {captures.map(({ kind, where, findings, row }) => (
        <Panel title={kind} aside={where}>
          {row ? (
            <p>
              <Shape tone={row.tone} />
              <a href={hrefTo('logins', row.id)}>
                <Text text={row.fact} />
              </a>
            </p>
          ) : (
            <p class="empty">No event can be made of it.</p>
          )}
          <Findings findings={findings} />
        </Panel>
      ))}
    </>
  );
}
