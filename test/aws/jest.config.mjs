/** `npm run test:aws` */
import { serialConfig } from '../support/serialConfig.mjs';

export default serialConfig('aws');
