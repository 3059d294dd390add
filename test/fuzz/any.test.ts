/** Whatever comes in, one of the three responses goes out, the same by each way; and nothing of it gets into the log. */
import fc from 'fast-check';
import type { FunctionName } from '../support/bundle.ts';
import type { Ask } from './functions.ts';
import { eventArbitraries } from './inputs/events.ts';
import { envelopes } from './inputs/http.ts';
import { anyJson, hostileJson, MARKER } from './inputs/json.ts';
import { OPENID_ISSUER, openIdLogin, SAML_ISSUER, samlLogin } from './inputs/logins.ts';
import { signedRequest } from './inputs/signedRequest.ts';
import { demand, invariant } from './invariant.ts';
import { mappings } from './situation.ts';

/** Of HTTP alone: what is too large, and keys that could change a prototype. */
const OF_HTTP = [400, 413, 422];

const { openId, saml } = await mappings();

async function ofFunction(name: FunctionName, ask: Ask): Promise<void> {
  const events = await eventArbitraries(name);
  const anyText = fc.oneof(
    anyJson.map((value) => JSON.stringify(value)),
    hostileJson,
  );

  invariant(`${name}: an invalid event lets nobody in`, anyText, async (text) => {
    for (const event of [text, signedRequest(text), signedRequest(text, true)]) {
      const { answer } = await ask(event);
      demand(answer.type === 'ErrorResponse', 'an invalid event lets somebody in');
    }
  });
  invariant(`${name}: any envelope around anything`, envelopes(events.any), async (text) => {
    const { status, isIn } = await ask(text);
    demand(!isIn || status === null, 'an unsigned request lets somebody in');
  });
  invariant(`${name}: a valid event gets to its handler`, events.valid, async (text) => {
    const { status } = await ask(signedRequest(text));
    demand(status === 200, `a valid event is answered ${status}`);
  });
  invariant(
    `${name}: an event that is almost valid, or hostile, has one answer by each way`,
    fc.oneof(events.almostValid, events.hostile),
    async (text) => {
      const direct = await ask(text);
      for (const request of [signedRequest(text), signedRequest(text, true)]) {
        const { status, answer } = await ask(request);
        const isSame = JSON.stringify(answer) === JSON.stringify(direct.answer);
        demand(isSame || OF_HTTP.includes(status ?? 0), `over HTTP it is answered ${JSON.stringify(answer)}`);
      }
    },
  );
  invariant(
    `${name}: of what was sent, the issuer alone is logged`,
    fc.tuple(
      fc.string({ unit: 'binary', maxLength: 150 }),
      fc.constantFrom('email', 'groups', 'name', 'department'),
    ),
    async ([text, claim]) => {
      const issuer = name === 'openidLoggedIn' ? OPENID_ISSUER : SAML_ISSUER;
      const rules = [{ no_group: ['suspended'] }, { email_domains: ['example.org'] }];
      const mapping = { groups: { from: ['groups'] }, rules };
      const value = `${text}${MARKER}`;
      const login = await ask(
        name === 'openidLoggedIn'
          ? openIdLogin(mapping, { groups: ['staff'], [claim]: value })
          : samlLogin(mapping, { groups: ['staff'], [claim]: [value] }),
      );
      demand(login.issuer === issuer, 'the issuer is logged');
    },
  );
}

await ofFunction('openidLoggedIn', openId);
await ofFunction('samlLoggedIn', saml);
