import {isPlace, type Lookup, type Meaning, type Place} from './code-base.ts';
import {eachOf} from './each-of.ts';
import {typeHead} from './type-head.ts';

/** Those of the alternatives of a type whose member says this: `{kind: 'circle'; radius: number}` for `kind` and `'circle'`. */
export function tagged(lookup: Lookup, of: Meaning, {name, value}: {readonly name: string; readonly value: string}): Meaning | undefined {
  const places: Place[] = [];
  collect(lookup, of, {places, depth: 0});
  if (places.length < 2) return of;
  const isSo = (place: Place): boolean => {
    const member = lookup.member(place, name);
    return isPlace(member) && member.file.table.typeNames[member.index] === value;
  };
  return eachOf({anyOf: places}, (one) => (isPlace(one) && isSo(one) ? one : undefined)) ?? of;
}

interface Collected {
  readonly places: Place[];
  readonly depth: number;
}

/** No honest type has more alternatives, or names in names. */
const MOST = 200;
const DEEPEST = 12;

function collect(lookup: Lookup, of: Meaning | undefined, {places, depth}: Collected): void {
  if (of === undefined || depth > DEEPEST || places.length > MOST) return;
  const next = {places, depth: depth + 1};
  if ('value' in of) return collect(lookup, lookup.type(of.value), next);
  if ('anyOf' in of) return of.anyOf.forEach((one) => collect(lookup, one, next));
  if (!isPlace(of)) return;
  const type = aliased(lookup, of);
  if (type === undefined) places.push(of);
  else collect(lookup, type, next);
}

/** What a name for a type stands for. */
function aliased(lookup: Lookup, {file, index, env}: Place): Meaning | undefined {
  const kind = file.table.kinds[index] ?? '';
  const words = kind === 'class' || kind === 'interface' ? '' : typeHead(file.table.typeNames[index] ?? '').rest;
  return words === '' ? undefined : lookup.type({file, within: file.table.parents[index] ?? -1, name: words, env});
}
