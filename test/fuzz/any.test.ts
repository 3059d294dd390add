/** Whatever comes in, one of the three responses goes out, the same by each way; and nothing of it gets into the log. */
import fc from 'fast-check';
import type { Ask } from './functions.ts';
import { type EventArbitraries, eventArbitraries } from './inputs/events.ts';
import { envelopes } from './inputs/http.ts';
import { hostileJson, MARKER } from './inputs/json.ts';
import { OPENID_ISSUER, SAML_ISSUER } from './inputs/logins.ts';
import { demand, invariant } from './invariant.ts';
import { both, openId, saml, signedRequest } from './mappings.ts';

/** Of HTTP alone: what is too large, and keys that could change a prototype. */
const OF_HTTP = [400, 413, 422];

function answers(name: string, ask: Ask, { valid, changed }: EventArbitraries): void {
  invariant(`${name}: a valid event gets to its handler`, fc.tuple(valid, fc.boolean()), async (given) => {
    const { status } = await ask(signedRequest(...given));
    demand(status === 200, `a valid event is answered ${status}`);
  });
  invariant(
    `${name}: any other event has one answer by each way`,
    fc.tuple(fc.oneof(changed, hostileJson), fc.boolean()),
    async ([text, isBase64Encoded]) => {
      const direct = await ask(text);
      const { status, answer } = await ask(signedRequest(text, isBase64Encoded));
      const isSame = JSON.stringify(answer) === JSON.stringify(direct.answer);
      demand(isSame || OF_HTTP.includes(status ?? 0), `over HTTP it is answered ${JSON.stringify(answer)}`);
    },
  );
  invariant(`${name}: nobody gets in by what is no event`, hostileJson, async (text) => {
    demand(!(await ask(text)).isIn, 'what is no event lets somebody in');
  });
  invariant(
    `${name}: nobody gets in by a request that is not signed, whatever is in it`,
    envelopes(fc.oneof(valid, changed, hostileJson)),
    async (text) => {
      const { status, isIn } = await ask(text);
      demand(!isIn || status === null, 'an unsigned request lets somebody in');
    },
  );
}

answers('OpenID Connect', openId, await eventArbitraries('openidLoggedIn'));
answers('SAML', saml, await eventArbitraries('samlLoggedIn'));

invariant(
  'of what was sent, the issuer alone is logged',
  fc.tuple(
    fc.string({ unit: 'binary', maxLength: 150 }),
    fc.constantFrom('email', 'groups', 'name', 'department'),
  ),
  async ([text, claim]) => {
    const rules = [{ no_group: ['suspended'] }, { email_domains: ['example.org'] }];
    const mapping = { groups: { from: ['groups'] }, rules };
    const logins = await both(mapping, { groups: ['staff'], [claim]: `${text}${MARKER}` });
    const issuers = logins.map(({ issuer }) => issuer).join();
    demand(issuers === `${OPENID_ISSUER},${SAML_ISSUER}`, `the issuers are logged, and not ${issuers}`);
  },
);
