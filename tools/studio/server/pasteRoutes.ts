/** Pastes: what was caught of a login becomes an event that is answered and listed. It stays in memory. */
import { Hono } from 'hono';
import * as v from 'valibot';
import type { Captured } from '../../capture/captured.ts';
import { readCapture } from '../../capture/readCapture.ts';
import { UnusableInput } from '../../shared/commandLine.ts';
import type { Pasted } from '../api.ts';
import type { Logins } from './logins.ts';
import { bodyOf, type StudioEnv } from './request.ts';

const Paste = v.object({
  text: v.string(),
  metadata: v.exactOptional(v.string()),
});

export function pasteRoutes(): Hono<StudioEnv> {
  const app = new Hono<StudioEnv>();
  app.post('/paste', async (context) => {
    const { text, metadata } = await bodyOf(context, Paste);
    try {
      const { engine, logins } = context.var.studio;
      const found = await readCapture(text, { metadata, environment: engine.stage.environmentOf });
      const captures = await Promise.all(found.map((one) => captureOf(one, logins)));
      return context.json<Pasted>({ captures, problem: null });
    } catch (error) {
      if (!(error instanceof UnusableInput)) throw error;
      return context.json<Pasted>({ captures: [], problem: error.message });
    }
  });
  return app;
}

async function captureOf(
  { kind, where, functionName, events, findings }: Captured,
  logins: Logins,
): Promise<Pasted['captures'][number]> {
  if (events === null) return { id: null, kind, where, findings };
  const name = [kind, where].filter(Boolean).join(', ');
  const login = await logins.pasted(functionName, events.plain, name, [
    ...findings,
    ...(await logins.knownForm(functionName, events)),
  ]);
  return { id: login.id, kind, where, findings: logins.findingsOf(login) };
}
