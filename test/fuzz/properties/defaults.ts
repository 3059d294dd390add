/** With the default settings: whatever comes in, one of the three responses goes out. */
import fc from 'fast-check';
import type { FunctionName } from '../../support/bundle.ts';
import { openIdEvent, samlEvent } from '../../support/wire.ts';
import { eventArbitraries } from '../arbitraries/events.ts';
import { asBase64, asText, bodiesAtTheLimit, envelopes } from '../arbitraries/http.ts';
import { anyJson, hostileJson } from '../arbitraries/json.ts';
import { type LoginFunction, loadFunction } from '../loginFunction.ts';
import { demand } from '../oracle/demand.ts';
import { hasForbiddenKey, isModest, isSameJson } from '../oracle/json.ts';
import { MARKER } from '../oracle/logged.ts';
import { MAX_BODY_BYTES } from '../oracle/request.ts';
import { type Property, property } from '../property.ts';

/** As the log has it, in characters. */
const LOGGED_ISSUER_LENGTH = 200;

export async function defaultsProperties(name: FunctionName): Promise<Property[]> {
  const fn = await loadFunction(name);
  const events = await eventArbitraries(name);
  const jsonText = anyJson.map((value) => JSON.stringify(value));

  async function authorizesNobody(eventText: string): Promise<void> {
    const { answer } = await fn.login(eventText);
    demand(answer.type === 'ErrorResponse', 'what is no login event logs nobody in');
  }

  return [
    property('any JSON as an event', 2, fc.oneof(jsonText, hostileJson), authorizesNobody),
    property('any JSON or text as a body', 2, fc.oneof(jsonText, hostileJson, fc.string()), async (body) => {
      await authorizesNobody(asText(body));
      await authorizesNobody(asBase64(body));
    }),
    property('any envelope', 4, envelopes(events.any), async (text) => void (await fn.login(text))),
    property('a valid event is never refused as invalid', 1, events.valid, async (text) => {
      demand((await fn.login(text)).record.status === 200, 'a valid event gets to the handler');
    }),
    property('an almost valid event, three ways', 5, events.almostValid, (text) => threeWays(fn, text)),
    property('a hostile value or key, three ways', 5, events.hostile, (text) => threeWays(fn, text)),
    property('a body that is not quite JSON', 1, fc.tuple(events.valid, fc.nat()), async ([text, at]) => {
      const noUtf8 = Buffer.from(text);
      noUtf8[at % noUtf8.length] = 0xff;
      for (const request of [asBase64(noUtf8), asText(`${text}x`)]) {
        demand((await fn.login(request)).record.reason === 'body_not_json', 'what is no JSON is not read');
      }
    }),
    property('a body at the limit', 0.1, bodiesAtTheLimit(events.valid), async (text) => {
      const { status } = await fn.login(text);
      demand(status === 200 || status === 413, 'a valid event is read, or too large');
    }),
    property('of what was sent, the issuer alone is logged', 1, fc.string({ unit: 'binary' }), (text) =>
      issuerIsLogged(fn, MARKER + text),
    ),
  ];
}

/** Directly, over HTTP as text, and as base64: the same answer, but to a key that HTTP alone refuses. */
async function threeWays({ login }: LoginFunction, text: string): Promise<void> {
  const direct = await login(text);
  const event = JSON.parse(text);
  for (const request of [asText(text), asBase64(text)]) {
    const { status, answer } = await login(request);
    if (Buffer.byteLength(text) > MAX_BODY_BYTES) demand(status === 413, 'what is too large is refused');
    else if (hasForbiddenKey(event)) {
      const isUnread = status === 400 && !isModest(event);
      demand(status === 422 || isUnread, 'a key that could change a prototype is refused');
    } else if (isModest(event)) demand(isSameJson(answer, direct.answer), 'the answer over HTTP is the same');
    // What is nested too deeply to be parsed is refused, whether it is part of the login or not.
    else
      demand(
        status === 400 || answer.type === direct.answer.type,
        'the answer over HTTP is of the same type',
      );
  }
}

async function issuerIsLogged({ name, login }: LoginFunction, issuer: string): Promise<void> {
  const [openId, saml] = [openIdEvent(), samlEvent()];
  openId.idToken.iss = issuer;
  saml.assertion.assertionIssuer = issuer;
  const { record } = await login(JSON.stringify(name === 'openidLoggedIn' ? openId : saml));
  demand(record.issuer === issuer.slice(0, LOGGED_ISSUER_LENGTH), 'the issuer is logged');
}
