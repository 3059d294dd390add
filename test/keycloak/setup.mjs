/** Starts a Keycloak on this machine, which is taken from Maven and put under `.build`, where it is not yet. */
import { installAll, requireAll } from '../aws/machine/installation.ts';
import projectSetup from '../support/globalSetup.mjs';
import { JAVA, KEYCLOAK, startKeycloak } from './machine/keycloak.ts';

export default async function setup() {
  await projectSetup();
  requireAll([JAVA]);
  await installAll(KEYCLOAK);
  const { environment, stop } = await startKeycloak();
  Object.assign(process.env, environment);
  globalThis.endSetup = stop;
}
