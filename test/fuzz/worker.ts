/** A process of one situation: tries its properties one after the other, and tells the parent what came of each. */

import { assertionProperties, idTokenProperties } from './properties/checks.ts';
import { defaultsProperties } from './properties/defaults.ts';
import { mappingProperties } from './properties/mappings.ts';
import { sideBySideProperties } from './properties/sideBySide.ts';
import { signatureProperties } from './properties/signature.ts';
import { workedHandlerProperties } from './properties/workedHandlers.ts';
import type { Property, PropertyResult } from './property.ts';
import type { Setup, SituationName } from './situations.ts';

/** What the parent sends, once. */
export interface Order {
  situation: SituationName;
  setup: Setup;
  seed: number;
  cases: number;
  /** Try only properties that have this in `<situation>: <property>`. */
  only?: string;
  path?: string;
}

export type Message =
  | { kind: 'trying'; property: string }
  | { kind: 'tried'; result: PropertyResult }
  | { kind: 'failed'; error: string };

process.once('message', (order: Order) => {
  obey(order)
    .catch((error) => send({ kind: 'failed', error: String(error.stack ?? error) }))
    .finally(() => process.disconnect());
});

async function obey({ situation, setup, seed, cases, only = '', path }: Order): Promise<void> {
  const properties = await propertiesOf(situation, setup);
  const meant = properties.filter(({ name }) => `${situation}: ${name}`.includes(only));
  const shares = meant.reduce((sum, { share }) => sum + share, 0);
  for (const { name, share, run } of meant) {
    await send({ kind: 'trying', property: name });
    const result = await run({
      seed,
      cases: Math.ceil((cases * share) / shares),
      ...(path !== undefined && { path }),
    });
    await send({ kind: 'tried', result });
  }
}

async function propertiesOf(
  situation: SituationName,
  { signingKey = '', keys, root = '', mappings = {}, outsideUrl = '' }: Setup,
): Promise<Property[]> {
  if (situation === 'defaults, OpenID') return defaultsProperties('openidLoggedIn');
  if (situation === 'defaults, SAML') return defaultsProperties('samlLoggedIn');
  if (situation === 'signature') return signatureProperties(Buffer.from(signingKey, 'base64'));
  if (/^(mappings|fewer required fields), OpenID$/.test(situation))
    return mappingProperties('openidLoggedIn', mappings, { root });
  if (/^(mappings|fewer required fields), SAML$/.test(situation))
    return mappingProperties('samlLoggedIn', mappings, { root });
  if (situation === 'side by side') return sideBySideProperties({ root });
  if (situation === 'worked handlers') return workedHandlerProperties(outsideUrl, { root });
  if (!keys) throw new Error('expected the keys of the issuers');
  return [...(await idTokenProperties(keys)), ...(await assertionProperties())];
}

/** The bundle catches what nobody catches, so that nothing is left to chance here. */
function send(message: Message): Promise<void> {
  return new Promise((resolve) => process.send?.(message, () => resolve()));
}
