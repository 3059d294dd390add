/** A process with all that it started, and where they listen. Linux alone: it is read out of `/proc`. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The process itself is the first. */
export function treeOf(pid: number): number[] {
  const parents = new Map(processes().map((one) => [one, parentOf(one)]));
  const tree = [pid];
  for (const one of tree) {
    for (const [child, parent] of parents) if (parent === one) tree.push(child);
  }
  return tree;
}

/** Sorted, e.g. `127.0.0.1:3000`. */
export function listeningIn(pids: readonly number[]): string[] {
  const sockets = new Set(pids.flatMap(socketsOf));
  const addresses = ['tcp', 'tcp6'].flatMap((table) =>
    linesOf(`/proc/net/${table}`).flatMap(([, local = '', , state, , , , , , inode = '']) =>
      state === LISTENS && sockets.has(inode) ? [addressOf(local)] : [],
    ),
  );
  return addresses.sort();
}

/** The state in `/proc/net/tcp`. */
const LISTENS = '0A';

function processes(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function parentOf(pid: number): number {
  const stat = unlessGone(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), '');
  return Number(stat.split(') ').at(-1)?.split(' ')[1] ?? 0);
}

/** Their inodes. A process may end, and a file may be closed, while they are read. */
function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return unlessGone(() => readdirSync(folder), []).flatMap((fd) => {
    const target = unlessGone(() => readlinkSync(`${folder}/${fd}`), '');
    const [, inode] = /^socket:\[(\d+)\]$/.exec(target) ?? [];
    return inode ?? [];
  });
}

function unlessGone<TRead>(read: () => TRead, otherwise: TRead): TRead {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

function linesOf(file: string): string[][] {
  const [, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => line.trim().split(/\s+/));
}

/** Of `0100007F:0BB8`, whose bytes are in the machine's order, here the little-endian one. */
function addressOf(hex: string): string {
  const [host = '', port = ''] = hex.split(':');
  const words = host.match(/.{8}/g)?.map((word) => Buffer.from(word, 'hex').reverse()) ?? [];
  const bytes = Buffer.concat(words);
  const isV6Loopback =
    bytes.length === 16 && bytes.at(-1) === 1 && bytes.subarray(0, -1).every((one) => one === 0);
  const shown = bytes.length === 4 ? bytes.join('.') : isV6Loopback ? '[::1]' : bytes.toString('hex');
  return `${shown}:${Number.parseInt(port, 16)}`;
}
