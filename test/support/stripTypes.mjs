/** How jest reads TypeScript: Node takes the types out, and lines and columns stay where they are. */
import { stripTypeScriptTypes } from 'node:module';

export default {
  process(source) {
    return { code: stripTypeScriptTypes(source) };
  },
};
