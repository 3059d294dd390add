/** `npm run test:browser` */
import { serialConfig } from '../support/serialConfig.mjs';

export default serialConfig('browser');
