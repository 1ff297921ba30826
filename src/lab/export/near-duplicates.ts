import {createHash} from 'node:crypto';

/** Rollouts that are more alike than this are one: the share of common word sequences, estimated. */
const ALIKE = 0.9;
const HASHES = 128;
const WORDS = 5;

/**
 * Returns a function that takes texts one after the other and is true for one that nearly repeats an earlier one: the Jaccard similarity of their
 * sequences of five words is about 0.9 or more, estimated by MinHash with 128 hashes (Broder 1997), of which the error is about 0.03. It is asked
 * for the attempts at one task, which are few and have the prompt in common: each is compared with each.
 */
export function createDuplicateFinder(): (text: string) => boolean {
  const kept: Uint32Array[] = [];
  return (text) => {
    const signature = signatureOf(text);
    const isDuplicate = kept.some((other) => similarity(signature, other) >= ALIKE);
    if (!isDuplicate) kept.push(signature);
    return isDuplicate;
  };
}

function signatureOf(text: string): Uint32Array {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const signature = new Uint32Array(HASHES).fill(0xffff_ffff);
  const seen = new Set<number>();
  for (let at = 0; at === 0 || at + WORDS <= words.length; at += 1) {
    const digest = createHash('sha1')
      .update(words.slice(at, at + WORDS).join(' '))
      .digest();
    const [first, second] = [digest.readUInt32LE(0), digest.readUInt32LE(4) | 1];
    if (seen.has(first)) continue;
    seen.add(first);
    // Two hashes make all of them (Kirsch and Mitzenmacher 2008).
    for (let index = 0; index < HASHES; index += 1) {
      const hash = mixed(first + Math.imul(index, second));
      if (hash < (signature[index] ?? 0)) signature[index] = hash;
    }
  }
  return signature;
}

/** The last step of murmur3: neighbours are far apart. */
function mixed(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function similarity(a: Uint32Array, b: Uint32Array): number {
  let same = 0;
  for (const [index, value] of a.entries()) if (value === b[index]) same += 1;
  return same / HASHES;
}
