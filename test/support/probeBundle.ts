import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildOptions } from '../../tools/bundle/build.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { withHandler } from './withHandler.ts';

/** The bundle with handlers that tests ask for, `handlers/probe` and `handlers/fuzzed`. It is built once, before all tests. */
export const PROBE_BUNDLE = {
  outdir: join(PROJECT, '.build', 'probe'),
  entries: withHandler(
    join(PROJECT, 'test', 'support', 'handlers', 'probe.ts'),
    join(PROJECT, 'test', 'fuzz', 'handlers', 'fuzzed.ts'),
  ),
} satisfies BuildOptions;

/** Where a handler that a test writes finds what `login-hooks` exports, and Valibot as `v`. */
export const PROBE_SDK = pathToFileURL(join(PROBE_BUNDLE.outdir, 'handlers', 'probe.mjs')).href;
