import type {CodeBase, Place} from '../code-base.ts';

/**
 * What `declare module 'm' {…}` somewhere in the repository says of a name that is imported from `m`, where no file is that module: of all that a
 * package gives out, the only thing that is known of it. It may be declared in a part of that package (`m/lib/part`).
 */
export function declaredName({original, module}: {readonly original: string; readonly module: string}, base: CodeBase): Place | undefined {
  if (original === '*' || original === '=' || original === 'default' || /^(?:[./#]|node:)/u.test(module)) return undefined;
  const name = module.split('/', module.startsWith('@') ? 2 : 1).join('/');
  const isThere = base.installed(name);
  const all = base.named(original).flatMap((place) => {
    const home = moduleAround(place);
    // A file that imports or exports only adds to a module, which must be there.
    const isAdded = place.file.links.imports.length + place.file.links.exports.length > 0;
    return home === undefined || (isAdded && !isThere) ? [] : [{place, home}];
  });
  const parts = all.filter(({home}) => home.startsWith(`${module}/`));
  const isOne = parts.every(({home}) => home === parts[0]?.home);
  const found = all.find(({home}) => home === module) ?? (isOne ? parts[0] : undefined);
  if (found !== undefined) base.used(found.place.file);
  return found?.place;
}

/** The name of the module that the symbol is declared right in; undefined for any other symbol. */
function moduleAround({file, index}: Place): string | undefined {
  const parent = file.table.parents[index] ?? -1;
  const isModule = SCRIPTS.has(file.language) && file.table.kinds[parent] === 'namespace' && (file.table.parents[parent] ?? -1) < 0;
  return isModule && /\bmodule\s*["']/u.test(file.details[parent]?.signature ?? '') ? file.table.names[parent] : undefined;
}

const SCRIPTS: ReadonlySet<string> = new Set(['typescript', 'tsx']);
