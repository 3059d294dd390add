/** `npm run test:keycloak` */
import { serialConfig } from '../support/serialConfig.mjs';

export default serialConfig('keycloak');
