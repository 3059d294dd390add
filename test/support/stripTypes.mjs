/** How jest reads TypeScript: Node takes the types out, and lines and columns stay where they are; views are compiled. */
import { stripTypeScriptTypes } from 'node:module';
import { transformSync } from 'esbuild';
import { OF_VIEWS } from '../../tools/studio/jsx.ts';

export default {
  process(source, file) {
    if (file.endsWith('.tsx')) return transformSync(source, { ...OF_VIEWS, sourcefile: file });
    return { code: stripTypeScriptTypes(source) };
  },
};
