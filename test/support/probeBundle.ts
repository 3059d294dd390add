import { join } from 'node:path';
import { type BuildOptions, PROJECT } from '../../tools/build.ts';

/** The bundle with the probe handler, `handlers/probe`. It is built once, before all tests. */
export const PROBE_BUNDLE = {
  outdir: join(PROJECT, '.build', 'probe'),
  extraHandler: join(PROJECT, 'test', 'support', 'handlers', 'probe.ts'),
} satisfies BuildOptions;
