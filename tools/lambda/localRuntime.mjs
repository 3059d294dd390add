/** What the stand-in client does around each event that this machine answers: the clock, and requests to other systems. */
import { installClock, setClock } from './localClock.mjs';
import { beginAsking, installFetch, whatWasAsked } from './localFetch.mjs';

let callServer;

/** Before the function's code is loaded. @param call sends a request to the Runtime API server */
export function install(call) {
  callServer = call;
  installClock();
  installFetch();
}

export async function begin({ 'local-moment-ms': moment, 'local-outside': outside }) {
  setClock(moment === undefined ? null : Number(moment));
  const told =
    outside === 'recorded' ? JSON.parse((await callServer('GET', '/local/recorded')).text) : outside;
  beginAsking(told, () => void callServer('POST', '/local/asking').catch(() => {}));
}

export async function end() {
  const asked = whatWasAsked();
  if (Object.values(asked).every((list) => list.length === 0)) return;
  await callServer('POST', '/local/asked', JSON.stringify(asked));
}
