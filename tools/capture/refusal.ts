/** A login that an OpenID provider refused: its words, and what to do. */
import { KINDS } from '../../lib/kinds.ts';
import type { Captured, FoundRefusal } from './captured.ts';
import { problem, quoted } from './findings.ts';
import { curedFor } from './providers.ts';
import { oauthCure, oauthWords } from './refusalCures.ts';

/** Of the service's own login: what it asked for is not in the capture. */
const ASKED = {
  redirectUri: 'that of the service',
  scopes: 'see the request of the service',
  hasSecret: true,
};

export function readRefusal({ kind, iss, ...refused }: FoundRefusal): Omit<Captured, 'where'> {
  const message = `The provider refused the login: ${quoted(oauthWords(refused))}.`;
  return {
    kind,
    functionName: KINDS.OpenID.functionName,
    events: null,
    findings: curedFor(iss, [problem('login_refused', message, oauthCure(refused, ASKED))]),
  };
}
