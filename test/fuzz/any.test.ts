/** Whatever comes in, one of the three responses goes out, the same by each way; and nothing of it gets into the log. */
import fc from 'fast-check';
import type { Ask } from './functions.ts';
import { type EventArbitraries, eventArbitraries } from './inputs/events.ts';
import { anyJson, hostileJson, MARKER } from './inputs/json.ts';
import { demand, invariant } from './invariant.ts';
import { both, OPENID_ISSUER, openId, SAML_ISSUER, saml, signedRequest } from './mappings.ts';

/** Of HTTP alone: what is too large, and keys that could change a prototype. */
const OF_HTTP = [400, 413, 422];

const jsonType = { 'content-type': 'application/json' };
const headerName = fc.constantFrom('content-type', 'Content-Type', 'webhook-id', 'Webhook-Signature');
const headerValue = fc.oneof(fc.string({ unit: 'binary' }), anyJson);
const headers = fc.oneof(
  fc.constant(jsonType),
  fc.dictionary(headerName, headerValue, { noNullPrototype: true }),
  anyJson,
);
const requestContext = fc.oneof(fc.constantFrom({}, { elb: {} }, { http: { method: 'POST' } }), anyJson);

/** Any envelope around any body, most of them a login event's text. Nobody signed it. */
function envelopes(eventText: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const encoded = eventText.map((text) => Buffer.from(text).toString('base64'));
  const body = fc.oneof({ weight: 4, arbitrary: eventText }, { weight: 2, arbitrary: encoded }, anyJson);
  const isBase64Encoded = fc.oneof(fc.boolean(), anyJson);
  const parts = { requestContext, headers, multiValueHeaders: headers, body, isBase64Encoded };
  return fc
    .record(parts, { requiredKeys: ['requestContext', 'body'], noNullPrototype: true })
    .map((event) => JSON.stringify(event));
}

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
