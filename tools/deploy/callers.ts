/** Who calls over HTTP is checked once: by the routes, or by the functions. */
import { mapOf } from './exposure/values.ts';
import { loginFunctions } from './loginFunctions.ts';
import type { Service } from './service.ts';

/**
 * Takes IAM off the routes of the functions that check the caller's signature themselves, and no other's.
 *
 * @returns what is wrong with the settings: nobody can send a signed request to a function without a route or a URL
 */
export function authorizeRoutes(service: Service): string[] {
  const signed = loginFunctions(service).filter(
    ({ environment }) => environment.CALLER_CHECK === 'signature',
  );
  for (const event of signed.flatMap(({ fn }) => fn.events ?? [])) {
    const route = mapOf(mapOf(event).httpApi);
    if (mapOf(route.authorizer).type === 'aws_iam') delete route.authorizer;
  }
  const unreached = signed.filter(
    ({ fn: { url, events = [] } }) =>
      !url && !events.some((event) => OVER_HTTP.some((name) => name in mapOf(event))),
  );
  return unreached.length === 0
    ? []
    : [
        'CALLER_CHECK: expected iam, or http: true below custom.loginHooks, because there is no route to sign for',
      ];
}

const OVER_HTTP = ['alb', 'http', 'httpApi'];
