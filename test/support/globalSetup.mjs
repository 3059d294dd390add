import { build } from '../../tools/build.ts';
import { PROBE_BUNDLE } from './probeBundle.ts';

/** Many tests call the built bundle, with the handlers of the project or with the probe. Each is built once, before all tests. */
export default async function globalSetup() {
  await build();
  await build(PROBE_BUNDLE);
}
