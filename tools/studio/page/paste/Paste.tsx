import { useState } from 'preact/hooks';
import type { Paste as PasteBody, Pasted } from '../../api.ts';
import { useAction } from '../connection/useAction.ts';
import { Problem } from '../parts/Problem.tsx';
import { usePageTitle } from '../usePageTitle.ts';
import { useStudio } from '../useStudio.ts';
import { Captures } from './Captures.tsx';
import { sizeProblem } from './size.ts';
import { TextOrFile } from './TextOrFile.tsx';

/** A login that was caught elsewhere. */
export function Paste() {
  const { request } = useStudio();
  const [text, setText] = useState('');
  const [metadata, setMetadata] = useState('');
  const paste: PasteBody = { text, ...(metadata.trim() !== '' && { metadata }) };
  const send = useAction(async () => {
    const problem = sizeProblem(paste);
    if (problem !== null) throw new Error(problem);
    return request<Pasted>('/api/paste', { body: paste });
  });
  usePageTitle('Paste');
  return (
    <>
      <h1>Paste a login</h1>
      <p class="lead">
        Log in at the service with the browser's developer tools open, and bring your capture here: a
        SAMLResponse, tokens, a recording of the browser, or an event. It stays in the memory of this machine
        until <code>npm start</code> ends.
      </p>
      <form
        class="paste"
        onSubmit={(event) => {
          event.preventDefault();
          void send.run();
        }}
      >
        <TextOrFile
          label="Capture"
          hint="Paste it here, or drop a file."
          text={text}
          onText={setText}
          isLarge
        />
        <TextOrFile
          label="SAML metadata of the provider"
          hint="Optional: without it, the signature is not checked."
          text={metadata}
          onText={setMetadata}
        />
        <button type="submit" class="main" disabled={text.trim() === '' || send.isRunning}>
          {send.isRunning ? 'Reading …' : 'Read it'}
        </button>
        <Problem message={send.problem} />
      </form>
      {send.value && <Captures pasted={send.value} />}
    </>
  );
}
