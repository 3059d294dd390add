/** Starts a Keycloak on this machine, which is taken from Maven and put under `.build`, where it is not yet. */
import { installAll } from '../aws/machine/installation.ts';
import projectSetup from '../support/globalSetup.mjs';
import { KEYCLOAK, startKeycloak } from './machine/keycloak.ts';

export default async function setup() {
  await projectSetup();
  await installAll(KEYCLOAK);
  const { environment, stop } = await startKeycloak();
  Object.assign(process.env, environment);
  globalThis.endSetup = stop;
}
