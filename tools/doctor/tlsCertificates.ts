/** The TLS certificates of the providers' hosts: who trusts them, and how much of their life is left. */
import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { connectionFailure, problemOf } from '../../lib/toolkit/connectionFailure.ts';
import { DAY_MS, type Diagnosis, type DoctorFinding, finding, unasked } from './examination.ts';

const TIMEOUT_MS = 10_000;

/** How much of a certificate's whole life may be left before it is a finding, and what is now. */
export interface Lifetimes {
  /** Of a hundred. */
  certificatePercent: number;
  /** Milliseconds since 1970. */
  nowMs: number;
}

/** @param address https; of another scheme there is none */
export async function tlsCertificate(address: string, lifetimes: Lifetimes): Promise<Diagnosis> {
  const { protocol, hostname, port, host } = new URL(address);
  if (protocol !== 'https:') return { findings: [], unasked: [] };
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
    return { findings: judged(socket, host, lifetimes), unasked: [] };
  } catch (error) {
    const failure = connectionFailure(error);
    return unasked(host, `No TLS connection: ${failure ? problemOf(failure) : 'no response in time'}.`);
  } finally {
    socket.destroy();
  }
}

function judged(socket: TLSSocket, host: string, { certificatePercent, nowMs }: Lifetimes): DoctorFinding[] {
  const { valid_from, valid_to } = socket.getPeerCertificate();
  const [start, end] = [Date.parse(valid_from), Date.parse(valid_to)];
  // A text that is no time counts as over.
  if (!(end > nowMs)) {
    return [
      finding(
        'tls_certificate_ended',
        host,
        `The TLS certificate ended at ${valid_to}: the functions cannot ask this host for keys or claims.`,
        'Have the people who run the provider renew it.',
      ),
    ];
  }
  if (!socket.authorized) return [untrusted(host, String(socket.authorizationError))];
  const leftPercent = (100 * (end - nowMs)) / (end - start);
  if (leftPercent >= certificatePercent) return [];
  return [
    finding(
      'tls_certificate_ending',
      host,
      `The TLS certificate ends in ${inDays(end - nowMs)}: ${Math.floor(leftPercent)} % of its ${inDays(end - start)} are left, and certificates that are renewed by themselves have more.`,
      'Ask the people who run the provider whether its renewal works.',
    ),
  ];
}

function untrusted(host: string, code: string): DoctorFinding {
  const failure = connectionFailure({ code });
  return finding(
    'tls_certificate_untrusted',
    host,
    `The TLS certificate is refused (${code}): the functions cannot ask this host for keys or claims.`,
    `${failure ? `${failure.what}: ${failure.cure}` : 'Have the people who run the provider correct it'}.`,
  );
}

function inDays(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  return days === 1 ? '1 day' : `${days} days`;
}
