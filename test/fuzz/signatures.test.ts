/** With `CALLER_CHECK=signature`: over HTTP, nobody gets in but by a request that is signed as it was sent. */
import fc from 'fast-check';
import { openIdEvent, samlEvent } from '../support/wire.ts';
import type { Ask } from './functions.ts';
import { BREAKING, broken, HARMLESS, rightlySigned } from './inputs/signedRequest.ts';
import { demand, invariant } from './invariant.ts';
import { mappings, SIGNING_KEY } from './situation.ts';

const { openId, saml } = await mappings();

function ofFunction(name: string, ask: Ask, event: object): void {
  const request = fc.record({
    body: fc.constant(JSON.stringify(event)),
    isBase64Encoded: fc.boolean(),
    id: fc.constantFrom('msg_1', 'a', '0'.repeat(256)),
    /** In seconds; well within the tolerance, so that a slow machine makes no difference. */
    age: fc.integer({ min: -250, max: 250 }),
    key: fc.constant(SIGNING_KEY),
  });
  const place = { at: fc.nat(10_000), by: fc.integer({ min: 1, max: 127 }) };
  invariant(`${name}: a request that is rightly signed gets in`, request, async (signed) => {
    const { status, reason } = await ask(rightlySigned(signed));
    demand(status === 200, `it is answered ${status} (${reason})`);
  });
  invariant(
    `${name}: a signed request that was changed does not`,
    fc.tuple(request, fc.record({ what: fc.constantFrom(...BREAKING), ...place })),
    async ([signed, change]) => {
      const { status, reason } = await ask(broken(signed, change));
      demand(status === 401, `it is answered ${status} (${reason})`);
    },
  );
  invariant(
    `${name}: a signed request that is only written otherwise does`,
    fc.tuple(request, fc.record({ what: fc.constantFrom(...HARMLESS), ...place })),
    async ([signed, change]) => {
      const { status, reason } = await ask(broken(signed, change));
      demand(status === 200, `it is answered ${status} (${reason})`);
    },
  );
}

ofFunction('openidLoggedIn', openId, openIdEvent());
ofFunction('samlLoggedIn', saml, samlEvent());
