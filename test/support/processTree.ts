/** A process with all that it started, and where they listen. Linux alone: it is read out of `/proc`. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The process itself is the first. */
export function treeOf(pid: number): number[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = processes.map((one) => [Number(one), parentOf(one)] as const);
  const tree = [pid];
  for (const one of tree) tree.push(...parents.flatMap(([child, parent]) => (parent === one ? [child] : [])));
  return tree;
}

/** The state in `/proc/net/tcp`. */
const LISTENS = '0A';

/** Sorted, e.g. `127.0.0.1:3000`. */
export function listeningIn(pids: readonly number[]): string[] {
  const sockets = new Set(pids.flatMap(socketsOf));
  const addresses = ['tcp', 'tcp6'].flatMap((table) => {
    const [, ...lines] = readFileSync(`/proc/net/${table}`, 'utf8').trim().split('\n');
    const rows = lines.map((line) => line.trim().split(/\s+/));
    return rows.flatMap(([, local = '', , state, , , , , , inode = '']) =>
      state === LISTENS && sockets.has(inode) ? [addressOf(local)] : [],
    );
  });
  return addresses.sort();
}

function parentOf(pid: string): number {
  const stat = unlessGone(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), '');
  return Number(stat.split(') ').at(-1)?.split(' ')[1] ?? 0);
}

/** Their inodes. */
function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return unlessGone(() => readdirSync(folder), []).flatMap((fd) => {
    const target = unlessGone(() => readlinkSync(`${folder}/${fd}`), '');
    return /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [];
  });
}

/** A process may end, and a file may be closed, while they are read. */
function unlessGone<TRead>(read: () => TRead, otherwise: TRead): TRead {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

const V6_LOOPBACK = '00000000000000000000000001000000';

/** Of `0100007F:0BB8`, whose bytes are in the machine's order, here the little-endian one. */
function addressOf(hex: string): string {
  const [host = '', port = ''] = hex.split(':');
  const v4 = host.length === 8 ? Buffer.from(host, 'hex').reverse().join('.') : host;
  return `${host === V6_LOOPBACK ? '[::1]' : v4}:${Number.parseInt(port, 16)}`;
}
