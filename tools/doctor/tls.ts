/** The TLS certificates of the providers' hosts: who trusts them, and how much of their life is left. */
import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { connectionFailure, problemOf } from '../../lib/toolkit/connectionFailure.ts';
import { error, type Finding, warning } from '../shared/finding.ts';
import { inconclusive } from './findings.ts';

const TIMEOUT_MS = 10_000;
const DAY_MS = 86_400_000;
/** Certificates that are renewed by themselves have more of their life left. */
const MIN_LEFT_PERCENT = 33;

/** @param address https; of another scheme there is none */
export async function tlsFindings(address: string, nowMs: number): Promise<Finding[]> {
  const { protocol, hostname, port, host } = new URL(address);
  if (protocol !== 'https:') return [];
  const name = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({
    host: name,
    port: Number(port || 443),
    ...(isIP(name) === 0 && { servername: name }),
    // Nothing is sent. A certificate that nobody trusts is what is looked for.
    rejectUnauthorized: false,
  });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return findingsOf(socket, host, nowMs);
  } catch (problem) {
    const failure = connectionFailure(problem);
    return [inconclusive(host, `no TLS connection: ${failure ? problemOf(failure) : 'no response in time'}`)];
  } finally {
    socket.destroy();
  }
}

function findingsOf(socket: TLSSocket, host: string, nowMs: number): Finding[] {
  const { valid_from, valid_to } = socket.getPeerCertificate();
  const [start, end] = [Date.parse(valid_from), Date.parse(valid_to)];
  // A text that is no time counts as over.
  if (!(end > nowMs)) {
    const message = `the TLS certificate ended at ${valid_to}: the functions cannot ask this host`;
    return [error('tls_certificate_ended', host, message, 'have the people who run the provider renew it')];
  }
  if (!socket.authorized) {
    const code = String(socket.authorizationError);
    const failure = connectionFailure({ code });
    const message = `the TLS certificate is refused (${code}): the functions cannot ask this host`;
    const change = failure ? problemOf(failure) : 'have the people who run the provider correct it';
    return [error('tls_certificate_untrusted', host, message, change)];
  }
  const leftPercent = (100 * (end - nowMs)) / (end - start);
  if (leftPercent >= MIN_LEFT_PERCENT) return [];
  const days = Math.floor((end - nowMs) / DAY_MS);
  const message = `the TLS certificate ends in ${days} days, and certificates that are renewed by themselves have more of their life left`;
  const change = 'ask the people who run the provider whether its renewal works';
  return [warning('tls_certificate_ending', host, message, change)];
}
