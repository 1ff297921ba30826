import type {StyleName} from '../cells/line.ts';
import type {Look} from '../cells/look.ts';

/** A theme: a look for every style. */
export type Looks = Readonly<Record<StyleName, Look>>;

export const PLAIN: Look = {};

/** Combines the looks of several styles; later ones win if they differ. The same styles of the same theme are the same object. */
export function lookOf(looks: Looks, styles: readonly StyleName[] | undefined): Look {
  if (styles === undefined || styles.length === 0) return PLAIN;
  let known = MERGED.get(looks);
  if (known === undefined) MERGED.set(looks, (known = new Map()));
  const key = styles.join(' ');
  let look = known.get(key);
  if (look === undefined) known.set(key, (look = merged(looks, styles)));
  return look;
}

const MERGED = new WeakMap<Looks, Map<string, Look>>();

function merged(looks: Looks, styles: readonly StyleName[]): Look {
  const look: Look = Object.assign({}, ...styles.map((style) => looks[style]));
  return Object.values(look).some((value) => value !== undefined && value !== false) ? look : PLAIN;
}
