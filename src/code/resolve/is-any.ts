import {isPlace, type Lookup, type NamedAt} from './code-base.ts';
import {envKey, typeHad} from './type-head.ts';

/**
 * Whether nothing at all can be known of words for a type: they begin with what is imported from a package that is not installed. For the
 * compiler that is `any`, and so is each of its members.
 */
export function isAny(lookup: Lookup, at: NamedAt): boolean {
  return lookup.once(`any ${at.file.id} ${at.within} ${at.name}${envKey(at)}`, () => ofWords(lookup, at)) === true;
}

function ofWords(lookup: Lookup, at: NamedAt): boolean {
  const words = at.name.replace(/^typeof /u, '').replace(/^\(+(?:typeof )?/u, '');
  const head = /^[\p{L}\p{N}_$]+/u.exec(words)?.[0];
  if (head === undefined) return false;
  const meaning = lookup.name({...at, name: head});
  if (meaning === undefined) return isMissing(lookup, at, head);
  if (!isPlace(meaning)) return false;
  const {file, index} = meaning;
  const type = typeHad(file.table.kinds[index] ?? '', file.table.typeNames[index]);
  const isVariable = VARIABLES.has(file.table.kinds[index] ?? '');
  return isVariable && type !== undefined && isAny(lookup, {file, within: file.table.parents[index] ?? -1, name: type});
}

function isMissing({base}: Lookup, {file}: NamedAt, local: string): boolean {
  const module = file.links.imports.find((fact) => fact.local === local)?.module;
  const name = module === undefined ? undefined : PACKAGE.exec(module)?.[1];
  return name !== undefined && !base.installed(name);
}

const VARIABLES: ReadonlySet<string> = new Set(['constant', 'variable', 'property']);
/** As npm allows them; `@/` and `~` are names of folders. */
const PACKAGE = /^((?:@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*)(?:\/|$)/u;
