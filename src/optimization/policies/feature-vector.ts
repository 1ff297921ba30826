import type {ChoiceContext, FeatureVector} from './policy.ts';

/** Components of a feature vector; the first is 1 for every choice. */
export const DIMENSIONS = 64;

/** The vector of a choice without features. */
export const NO_FEATURES: FeatureVector = [[0, 1]];

/**
 * Maps features to numbers (Weinberger and others, "Feature hashing for large scale multitask learning", 2009): no table of names is needed, and
 * none is stored. Each goes to two different components, so that two features are hardly ever the same. Numbers are limited to -3 to 3.
 */
export function featureVector(features: ChoiceContext['features'] = {}): FeatureVector {
  const components = new Map<number, number>([[0, 1]]);
  for (const [name, value] of Object.entries<string | number | boolean | undefined>(features)) {
    if (value === undefined) continue;
    const isNumber = typeof value === 'number';
    const text = isNumber ? name : `${name}=${String(value)}`;
    const size = isNumber ? clamped(value) : 1;
    const [first, second] = [hash32(`1:${text}`), hash32(`2:${text}`)];
    const [place, step] = [first % FREE, 1 + (second % (FREE - 1))];
    add(components, 1 + place, signed(size, first));
    add(components, 1 + ((place + step) % FREE), signed(size, second));
  }
  return [...components].filter(([, value]) => value !== 0);
}

/** Components that features are mapped to. */
const FREE = DIMENSIONS - 1;

function add(components: Map<number, number>, index: number, value: number): void {
  components.set(index, (components.get(index) ?? 0) + value);
}

function signed(size: number, code: number): number {
  return (size * (code & 0x80000000 ? -1 : 1)) / Math.SQRT2;
}

function clamped(value: number): number {
  return Number.isFinite(value) ? Math.max(-3, Math.min(3, value)) : 0;
}

/** FNV-1a over the UTF-16 units, finished so that its bits are independent. */
function hash32(text: string): number {
  let h = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) h = Math.imul(h ^ text.charCodeAt(at), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
