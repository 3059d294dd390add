/** Wraps a mapping in the ways in which handlers do, as the claim `way` says. For tests. */
import { handleOpenIdUserLoggedIn, mapOpenIdLogin, type OpenIdUserLoggedInEvent } from 'login-hooks';

const mapped = mapOpenIdLogin({
  affiliation: ['org'],
  groups: { from: ['groups'] },
  rules: [{ any_group: ['staff'] }, { no_group: ['suspended'] }],
});
const other = mapOpenIdLogin({ rules: [{ any_group: ['nobody'], message: 'Ask Ada.' }] });

export const WAYS = {
  'hands it on': mapped,
  'passes a copy of the event': (event: OpenIdUserLoggedInEvent) => mapped({ ...event }),
  'passes a clone of the event': (event: OpenIdUserLoggedInEvent) => mapped(structuredClone(event)),
  'passes a frozen event': (event: OpenIdUserLoggedInEvent) => mapped(Object.freeze(event)),
  'copies the answer': (event: OpenIdUserLoggedInEvent) => ({ ...mapped(event) }),
  'freezes the answer': (event: OpenIdUserLoggedInEvent) => Object.freeze(mapped(event)),
  'waits for it': async (event: OpenIdUserLoggedInEvent) => await mapped(event),
  'asks another mapping before': (event: OpenIdUserLoggedInEvent) => {
    other(event);
    return mapped(event);
  },
  'asks another mapping after': (event: OpenIdUserLoggedInEvent) => {
    const answer = mapped(event);
    other(event);
    handleOpenIdUserLoggedIn(event);
    return answer;
  },
  'asks the default after': (event: OpenIdUserLoggedInEvent) => {
    mapped(event);
    return handleOpenIdUserLoggedIn(event);
  },
  'changes the message': (event: OpenIdUserLoggedInEvent) =>
    Object.assign(mapped(event), { message: 'Please call the help desk.' }),
  'changes the message of a copy': (event: OpenIdUserLoggedInEvent) => ({
    ...mapped(event),
    message: 'Please call the help desk.',
  }),
  'hands on an operator’s message': other,
  'authorizes who was refused': (event: OpenIdUserLoggedInEvent) => ({
    ...mapped(event),
    type: 'AuthorizedUserResponse',
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.org',
  }),
  'makes an error of it': (event: OpenIdUserLoggedInEvent) =>
    Object.assign(mapped(event), { type: 'ErrorResponse', message: 'Please call the help desk.' }),
  'answers by itself': () => ({ type: 'ForbiddenResponse', message: 'Please call the help desk.' }),
  'answers after a mapping': (event: OpenIdUserLoggedInEvent) => {
    mapped(event);
    return { type: 'ForbiddenResponse', message: 'Please call the help desk.' };
  },
};

export default (event: OpenIdUserLoggedInEvent) =>
  WAYS[event.id_token.other_claims.way as keyof typeof WAYS](event);
