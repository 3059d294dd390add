/** RSA-OAEP with a digest and an MGF that differ. Node's `oaepHash` sets both, and providers choose SHA-256 with MGF1-SHA-1. */
import { constants, createHash, type KeyObject, privateDecrypt, timingSafeEqual } from 'node:crypto';

export interface Oaep {
  /** Names of `createHash`. */
  digest: string;
  /** The digest of MGF1. */
  mgf: string;
  label: Buffer;
}

/** @returns null for every failure: which one it was is of use to those alone who guess (RFC 8017 section 7.1.2) */
export function decryptOaep(encrypted: Buffer, key: KeyObject, oaep: Oaep): Buffer | null {
  try {
    return decodeOaep(privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, encrypted), oaep);
  } catch {
    return null;
  }
}

/** All bytes are looked at, whatever they are. */
function decodeOaep(encoded: Buffer, { digest, mgf, label }: Oaep): Buffer | null {
  const labelHash = createHash(digest).update(label).digest();
  const size = labelHash.length;
  if (encoded.length < 2 * size + 2) return null;
  const maskedBlock = encoded.subarray(1 + size);
  const seed = xor(encoded.subarray(1, 1 + size), mgf1(maskedBlock, size, mgf));
  const block = xor(maskedBlock, mgf1(seed, maskedBlock.length, mgf));
  let wrong = Number(encoded[0] !== 0) | Number(!timingSafeEqual(block.subarray(0, size), labelHash));
  let isBefore = 1;
  let separator = 0;
  for (let at = size; at < block.length; at++) {
    const isOne = Number(block[at] === 1);
    const isZero = Number(block[at] === 0);
    separator += isBefore * isOne * at;
    wrong |= isBefore & (1 ^ isOne) & (1 ^ isZero);
    isBefore &= 1 ^ isOne;
  }
  return (wrong | isBefore) === 0 ? block.subarray(separator + 1) : null;
}

/** RFC 8017 appendix B.2.1. */
function mgf1(seed: Buffer, length: number, digest: string): Buffer {
  const blocks: Buffer[] = [];
  for (let made = 0; made < length; made += blocks[0]?.length ?? 0) {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(blocks.length);
    blocks.push(createHash(digest).update(seed).update(counter).digest());
  }
  return Buffer.concat(blocks, length);
}

function xor(left: Buffer, right: Buffer): Buffer {
  return Buffer.from(left.map((byte, at) => byte ^ (right[at] ?? 0)));
}
