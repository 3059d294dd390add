/**
 * Starts moto, which plays AWS on this machine. The client of the Runtime API that runs functions on Lambda, and the Python
 * SDK, which is a receiver, are installed under `.build` with it, where they are not yet.
 */
import projectSetup from '../support/globalSetup.mjs';
import { installAll } from './machine/installation.ts';
import { MOTO, startMoto } from './machine/moto.ts';
import { PYTHON_SDK } from './machine/pythonSdk.ts';
import { RUNTIME_INTERFACE_CLIENT } from './machine/runtimeInterfaceClient.ts';

export default async function setup() {
  await projectSetup();
  await installAll(MOTO, RUNTIME_INTERFACE_CLIENT, PYTHON_SDK);
  const moto = await startMoto();
  process.env.AWS_ENDPOINT_URL = moto.url;
  globalThis.endSetup = moto.stop;
}
