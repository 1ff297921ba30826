import type {RelationKind} from '../relation.ts';
import type {Place} from './code-base.ts';

/** Where a type has a method and a property of one name, a call means the method, and what is no call the property. */
export function asUsed(place: Place, kind: RelationKind): Place {
  const {file, index} = place;
  const {kinds, parents, names} = file.table;
  const [wanted, other] = kind === 'call' ? ['method', 'property'] : ['property', 'method'];
  if (kinds[index] !== other || (kind !== 'call' && kind !== 'reference')) return place;
  const better = file.named(parents[index] ?? -1, names[index] ?? '').find((at) => kinds[at] === wanted);
  return better === undefined ? place : {...place, index: better};
}
