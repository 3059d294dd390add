/** With `CALLER_CHECK=signature`: over HTTP, nobody logs in but by a rightly signed request. */
import fc from 'fast-check';
import type { FunctionName } from '../../support/bundle.ts';
import { eventArbitraries } from '../arbitraries/events.ts';
import { bodiesAtTheLimit, envelopes } from '../arbitraries/http.ts';
import { change, changed, rightlySigned } from '../arbitraries/signedRequest.ts';
import { type LoginFunction, loadFunction } from '../loginFunction.ts';
import { demand } from '../oracle/demand.ts';
import { isHttpEvent } from '../oracle/request.ts';
import { isRightlySigned } from '../oracle/signature.ts';
import { type Property, property } from '../property.ts';

const FUNCTIONS: FunctionName[] = ['openidLoggedIn', 'samlLoggedIn'];

/** @param signingKey the bytes of the secret that the function is set up with */
export async function signatureProperties(signingKey: Buffer): Promise<Property[]> {
  const mayPass = (_: unknown, event: unknown) => !isHttpEvent(event) || isRightlySigned(event, signingKey);
  const properties = await Promise.all(
    FUNCTIONS.map(async (name) => propertiesOf(await loadFunction(name, { mayPass }), signingKey)),
  );
  return properties.flat();
}

async function propertiesOf(fn: LoginFunction, key: Buffer): Promise<Property[]> {
  const { login, name } = fn;
  const events = await eventArbitraries(name);
  const request = fc.record({
    body: events.valid,
    isBase64Encoded: fc.boolean(),
    id: fc.constantFrom('msg_1', 'a', '0'.repeat(256)),
    /** In seconds; well within the tolerance, so that a slow machine makes no difference. */
    age: fc.integer({ min: -250, max: 250 }),
    key: fc.constant(key),
  });

  /** Direct events among them: they need no signature. */
  const unsigned = fc.oneof(
    { weight: 100, arbitrary: envelopes(events.any) },
    { weight: 20, arbitrary: events.any },
    { weight: 1, arbitrary: bodiesAtTheLimit(events.valid) },
  );

  return [
    property(`${name}: unsigned, or signed with garbage`, 3, unsigned, async (text) => {
      const { status } = await login(text);
      demand(
        status === null || status === 401 || status === 413,
        `an unsigned request is not answered ${status}`,
      );
    }),
    property(`${name}: signed, then changed`, 4, fc.tuple(request, change), async ([signed, what]) => {
      const event = changed(signed, what);
      const isRight = isRightlySigned(event, key);
      const { status, record } = await login(JSON.stringify(event));
      demand((status === 401) === !isRight, `${isRight ? 'rightly' : 'wrongly'} signed: ${record.reason}`);
    }),
    property(
      `${name}: any body, rightly signed`,
      3,
      fc.tuple(request, events.any),
      async ([signed, body]) => {
        const { status } = await login(JSON.stringify(rightlySigned({ ...signed, body })));
        demand(status !== 401, 'a rightly signed request is not refused for its signature');
      },
    ),
    property(`${name}: a valid event, rightly signed`, 1, request, async (signed) => {
      const { status } = await login(JSON.stringify(rightlySigned(signed)));
      demand(status === 200, 'a valid event gets to the handler');
    }),
  ];
}
