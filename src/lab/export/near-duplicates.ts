import {hash} from 'node:crypto';

/** A rollout as it is compared with others. */
export interface ComparedText {
  readonly task: string;
  /** The name by which it is found again. */
  readonly name: string;
  /** The actions of the model. */
  readonly did: string;
  /** The messages of the user. */
  readonly asked: string;
}

/** Returns the earlier rollout that this one nearly repeats; undefined: it is a new one, with which later ones are compared. */
export type DuplicateFinder = (text: ComparedText) => Pick<ComparedText, 'task' | 'name'> | undefined;

/**
 * Returns a finder to which all rollouts of an export are given, in order. One is a near-duplicate if what the model did has about 0.9 or more of its
 * sequences of five words in common with an earlier one (Jaccard similarity), estimated by MinHash with 128 hashes (Broder 1997), of which the error is
 * about 0.03. Of another task also what was asked has to be that similar: short actions are often equal.
 *
 * Only those that share one of 16 bands of 8 hashes are compared (locality-sensitive hashing: Leskovec, Rajaraman, Ullman, Mining of Massive Datasets,
 * 3.4), with at most {@link MOST} others a band: the work grows with the number of rollouts, not with its square. Of pairs with similarity 0.95 that
 * misses one in 10,000 or less; of pairs at the limit itself up to 4 %, if they are of different tasks.
 */
export function createDuplicateFinder(): DuplicateFinder {
  const index = new Map<string, Kept[]>();
  return ({task, name, did, asked}) => {
    const one: Kept = {task, name, did: signatureOf(did), asked: signatureOf(asked)};
    const keys = keysOf(one);
    const candidates = new Set(keys.flatMap((key) => index.get(key) ?? []));
    const earlier = candidates.values().find((other) => isAlike(one, other));
    if (earlier !== undefined) return {task: earlier.task, name: earlier.name};
    for (const key of keys) {
      const kept = index.get(key) ?? [];
      if (kept.length === 0) index.set(key, kept);
      if (kept.length < MOST) kept.push(one);
    }
    return undefined;
  };
}

interface Kept {
  readonly task: string;
  readonly name: string;
  readonly did: Uint32Array;
  readonly asked: Uint32Array;
}

/** Rollouts that are more alike than this are one: the share of common word sequences, estimated. */
const ALIKE = 0.9;
const HASHES = 128;
const BAND = 8;
const WORDS = 5;
const MOST = 100;

/** Keys for rollouts of the same task, and for those of any. */
function keysOf({task, did, asked}: Kept): string[] {
  return Array.from({length: HASHES / BAND}, (_, band) => {
    const [own, question] = [did, asked].map((signature) => signature.subarray(band * BAND, (band + 1) * BAND).join());
    return [`${band} ${own} in ${task}`, `${band} ${own} for ${question}`];
  }).flat();
}

function isAlike(one: Kept, other: Kept): boolean {
  if (similarity(one.did, other.did) < ALIKE) return false;
  return one.task === other.task || similarity(one.asked, other.asked) >= ALIKE;
}

function signatureOf(text: string): Uint32Array {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const signature = new Uint32Array(HASHES).fill(0xffff_ffff);
  const seen = new Set<number>();
  for (let at = 0; at === 0 || at + WORDS <= words.length; at += 1) {
    const digest = hash('sha1', words.slice(at, at + WORDS).join(' '), 'buffer');
    const [first, second] = [digest.readUInt32LE(0), digest.readUInt32LE(4) | 1];
    if (seen.has(first)) continue;
    seen.add(first);
    // Two hashes make all of them (Kirsch and Mitzenmacher 2008).
    for (let index = 0; index < HASHES; index += 1) {
      const value = mixed(first + Math.imul(index, second));
      if (value < (signature[index] ?? 0)) signature[index] = value;
    }
  }
  return signature;
}

/** The last step of murmur3: neighbours are far apart. */
function mixed(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2_ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

function similarity(a: Uint32Array, b: Uint32Array): number {
  let same = 0;
  for (const [index, value] of a.entries()) if (value === b[index]) same += 1;
  return same / HASHES;
}
