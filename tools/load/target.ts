/** Where logins are sent: to this machine, and elsewhere only where the operator says that it is theirs. */
import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { BlockList, type LookupFunction } from 'node:net';
import { UnusableInput } from '../shared/commandLine.ts';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

export interface Target {
  url: URL;
  isLoopback: boolean;
  /** Keeps connections open between logins. */
  agent: http.Agent;
}

/**
 * @param isOperated whether the operator says that the target is theirs
 * @throws {UnusableInput} for what is not a URL of HTTP, and for a target elsewhere that is not the operator's or not encrypted
 */
export async function targetAt(text: string, isOperated: boolean): Promise<Target> {
  const url = urlOf(text);
  const addresses = await addressesOf(url);
  const isLoopback =
    addresses.length > 0 &&
    addresses.every(({ address, family }) => LOOPBACK.check(address, family === 6 ? 'ipv6' : 'ipv4'));
  if (!isLoopback) refuseElsewhere(url, isOperated);
  if (addresses.length === 0)
    throw new UnusableInput(`${url.hostname} is not found: check the name and the network`);
  const options = { keepAlive: true, ...(isLoopback && { lookup: only(addresses) }) };
  const agent = url.protocol === 'https:' ? new https.Agent(options) : new http.Agent(options);
  return { url, isLoopback, agent };
}

/** For people: without the query, which may hold a secret. */
export function shownTarget({ url }: Pick<Target, 'url'>): string {
  return `${url.origin}${url.pathname}`;
}

function urlOf(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UnusableInput(
      '--target: expected the URL of a function, https://… or http://127.0.0.1:3000/openid',
    );
  }
  if (url.username || url.password) {
    throw new UnusableInput('--target: expected a URL without a user name and password');
  }
  return url;
}

type Address = { address: string; family: number };

/** Empty where the host is not found. */
async function addressesOf({ hostname }: URL): Promise<Address[]> {
  return lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
}

function refuseElsewhere({ hostname, protocol }: URL, isOperated: boolean): void {
  if (!isOperated) {
    throw new UnusableInput(
      `${hostname} is not this machine: add --i-operate-this if you operate it and may put load on it`,
    );
  }
  if (protocol !== 'https:') {
    throw new UnusableInput(`${hostname} is not this machine: expected https, because logins hold tokens`);
  }
}

/** The name may lead elsewhere when it is asked for again. */
function only(addresses: Address[]): LookupFunction {
  return (_, { all }, callback) => {
    const [{ address, family } = { address: '', family: 4 }] = addresses;
    if (all) callback(null, addresses);
    else callback(null, address, family);
  };
}
