/** Finds the profile under names that the defaults do not know, here those that OneLogin's connectors start with. */
import { DEFAULTS, mapSamlLogin } from '#sdk';

export default mapSamlLogin({
  email: ['User.email', DEFAULTS],
  first_name: ['User.FirstName', DEFAULTS],
  last_name: { from: ['User.LastName', DEFAULTS], fallback: '-' },
});
