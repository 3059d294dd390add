/** Who calls over HTTP is checked once: by the routes, or by the functions. */
import { loginFunctions } from './loginFunctions.ts';
import type { Service } from './service.ts';
import { mapOf } from './waysIn/template.ts';

/** Takes IAM off the routes of the functions that check the caller's signature themselves, and no other's. */
export function authorizeRoutes(service: Service): void {
  const signed = loginFunctions(service).filter(
    ({ environment }) => environment.CALLER_CHECK === 'signature',
  );
  for (const event of signed.flatMap(({ fn }) => fn.events ?? [])) {
    const route = mapOf(mapOf(event).httpApi);
    if (mapOf(route.authorizer).type === 'aws_iam') delete route.authorizer;
  }
}
