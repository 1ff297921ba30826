import type {StoredFile} from '../../store/facts-reader.ts';
import type {CodeBase, Place} from '../code-base.ts';

interface Wanted {
  readonly name: string;
  readonly languages: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
  readonly base: CodeBase;
  readonly from: StoredFile;
}

/**
 * The one symbol of that name at the top of a file of these languages, where there is only one: for names that the language itself lets be
 * declared but once. Undefined where there are several: a guess would be worse than nothing.
 */
export function onlyOne({name, languages, kinds, base, from}: Wanted): Place | undefined {
  const found = base
    .named(name)
    .filter(
      ({file, index}) => languages.has(file.language) && file.table.parents[index] === -1 && kinds.has(file.table.kinds[index] ?? ''),
    );
  const [first] = found;
  return first !== undefined && found.length === 1 && first.file.id !== from.id ? first : undefined;
}
