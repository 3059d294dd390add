/** How views are loaded from source: esbuild compiles `.tsx`, which Node does not. The package has them compiled. */
import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { TransformOptions } from 'esbuild';

/** With JSX as the compiler's settings have it. */
export const OF_VIEWS: TransformOptions = {
  jsx: 'automatic',
  jsxImportSource: 'hono/jsx',
  loader: 'tsx',
  format: 'esm',
  target: 'esnext',
  sourcemap: 'inline',
};

/** A command without views loads no esbuild for them. */
export function loadViewsFromSource(): void {
  registerHooks({
    load(url, context, nextLoad) {
      if (!url.endsWith('.tsx')) return nextLoad(url, context);
      const { transformSync }: typeof import('esbuild') = createRequire(import.meta.url)('esbuild');
      const file = fileURLToPath(url);
      const { code } = transformSync(readFileSync(file, 'utf8'), { ...OF_VIEWS, sourcefile: file });
      return { format: 'module', source: code, shortCircuit: true };
    },
  });
}
