/** Looks at nothing: what is left of a login is what it costs to get to a handler, validation above all. */
import type { SamlHandler } from '#sdk';

const nothing: SamlHandler = () => ({ type: 'ForbiddenResponse', message: 'nothing' });

export default nothing;
