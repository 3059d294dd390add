/**
 * The watchdog's own thread. When the thread that it watches is blocked, it logs that, and puts the thread to sleep for good:
 * the other threads answer the logins that come. It does not end the thread. Lambda's runtime client waits for the next login
 * in native code, and where its thread ends meanwhile, the whole process aborts.
 */
import { writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { createConnection } from 'node:net';
import { OF_SHADOW, type ThreadState, WatchedLogins } from './watchedLogins.ts';

const CHECK_MS = 250;
/** A thread that is later than this with a login is blocked. */
const LATE_MS = 1_000;
/** A thread that has not yielded for so long is blocked, whatever time its logins have left. */
const SILENT_MS = 30_000;
/** How long other threads have to answer, or to take a message. */
const ANSWER_MS = 500;
const CHANNEL = 'login-hooks watchdogs';
const STDOUT = 1;

export interface WatchedThread {
  /** The function's name, and the modules of its handler and its shadow. */
  name: string;
  handlerSource: string;
  shadowSource: string | null;
  threadId: number;
  memory: SharedArrayBuffer;
  /** The path of the socket that the runtime's client logs to; null where it logs to stdout. */
  logSocket: string | null;
}

/** Resolves when the thread is blocked, and all is done about it. */
export async function watch(watched: WatchedThread): Promise<void> {
  const others = new Others();
  const { silentMs, requestIds: ids } = await blocked(new WatchedLogins(watched.memory));
  const requestIds = ids.filter((id) => !id.startsWith(OF_SHADOW));
  const shadowIds = ids.filter((id) => id.startsWith(OF_SHADOW)).map((id) => id.slice(OF_SHADOW.length));
  const ofShadow = shadowIds.length > 0 && { shadowRequestIds: shadowIds };
  await log(watched, { event: 'worker_blocked', blockedMs: Math.round(silentMs), requestIds, ...ofShadow });
  if (await others.isAnyLeft()) return putToSleep(watched.threadId);
  // The runtime's client never replaces a thread, but Lambda replaces an environment whose process has ended.
  await log(watched, { event: 'environment_ended', requestIds });
  process.kill(process.pid, 'SIGKILL');
}

/** Resolves when the thread is found blocked twice in a row: after a pause of the whole process it has time to yield first. */
async function blocked(logins: WatchedLogins): Promise<ThreadState> {
  for (let found = 0; ; ) {
    await pause(CHECK_MS);
    const state = logins.state();
    found = state.lateMs > LATE_MS || state.silentMs > SILENT_MS ? found + 1 : 0;
    if (found === 2) return state;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Nothing wakes a thread that runs this, and it takes no processor time. */
const SLEEP = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)';

/**
 * Interrupts what a thread runs, a loop or a regular expression, as a debugger does. Where it cannot be interrupted, it stays
 * blocked, and takes processor time.
 */
async function putToSleep(threadId: number): Promise<void> {
  const session = new Session();
  // Only the main thread can be reached from here. It hands the message on.
  session.connectToMainThread();
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, workerInfo } }) => {
    if (!workerInfo.title.startsWith(`[worker ${threadId}]`)) return;
    const message = { id: 1, method: 'Runtime.evaluate', params: { expression: SLEEP } };
    session.post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify(message) });
  });
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  // Nothing else keeps this thread alive until the message has arrived. No answer comes, because the other thread sleeps.
  await pause(ANSWER_MS);
}

/** The watchdogs of the other threads. Each answers for as long as its thread is not blocked. */
class Others {
  readonly #channel = new BroadcastChannel(CHANNEL);

  constructor() {
    this.#channel.onmessage = ({ data }) => {
      if (data === 'is any left?') this.#channel.postMessage('one is');
    };
  }

  /** For the watchdog of a thread that is blocked: it answers no other one any more. */
  async isAnyLeft(): Promise<boolean> {
    let isAnyLeft = false;
    this.#channel.onmessage = ({ data }) => {
      if (data === 'one is') isAnyLeft = true;
    };
    this.#channel.postMessage('is any left?');
    await pause(ANSWER_MS);
    this.#channel.close();
    return isAnyLeft;
  }
}

/** Writes a record as the runtime's client writes it. `console` would pass it through the thread that is blocked. */
async function log(
  { name, handlerSource, shadowSource, logSocket }: WatchedThread,
  { event, ...details }: BlockedRecord,
) {
  const shadow = shadowSource === null ? {} : { shadow: shadowSource };
  const line = JSON.stringify({
    timestamp: new Date().toISOString(),
    level: 'FATAL',
    requestId: details.requestIds[0] ?? '-',
    message: { event, function: name, handler: handlerSource, ...shadow, ...details },
  });
  if (logSocket === null) writeSync(STDOUT, `${line}\n`);
  else await writeToSocket(logSocket, `${line}\n`);
}

interface BlockedRecord {
  event: string;
  blockedMs?: number;
  requestIds: string[];
  /** Of the logins that the shadow was busy with: they have their answer. */
  shadowRequestIds?: string[];
}

/** Never rejects: the thread is put to sleep although the log cannot be written. */
function writeToSocket(path: string, line: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    socket.on('error', () => resolve()).on('close', () => resolve());
    socket.resume().end(line);
  });
}
