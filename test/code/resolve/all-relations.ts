import {FactsReader, type StoredFile} from '../../../src/code/store/facts-reader.ts';
import {openForReading} from '../../../src/code/store/open-database.ts';
import {relationsOf} from '../../../src/code/store/relations-of.ts';
import {placeOfNumber} from '../../../src/code/store/code-symbol.ts';
import {fileOf, isModuleNumber} from '../../../src/code/store/symbol-number.ts';
import {indexFiles} from '../index-files.ts';

/**
 * Every relation of these files in the order of paths and text, what contains what at the end of each: `a.py:3 call run -> b.py::run#function`. In
 * the same file the path of the target is left out; a whole module is its path alone. `folder`: the name of the folder that they are in.
 */
export async function allRelations(files: Readonly<Record<string, string>>, folder?: string): Promise<string[]> {
  const database = openForReading(await indexFiles(files, folder));
  if (database === undefined) throw new Error('There is no index.');
  try {
    const reader = new FactsReader(database);
    const ids = database.prepare('SELECT id FROM file ORDER BY path').all();
    return ids.flatMap((row) => {
      const file = reader.get(Number(row['id']));
      return file === undefined ? [] : [...uses(reader, file), ...containment(file)];
    });
  } finally {
    database.close();
  }
}

function uses(reader: FactsReader, file: StoredFile): string[] {
  return [...relationsOf(file)]
    .toSorted((a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character)
    .map(({kind, name, range, target}) => `${file.path}:${range.start.line + 1} ${kind} ${name} -> ${targetOf(reader, file, target)}`);
}

function targetOf(reader: FactsReader, from: StoredFile, target: number): string {
  if (target !== 0 && isModuleNumber(target)) return reader.get(fileOf(target))?.path ?? '?';
  const place = placeOfNumber(reader, target);
  if (place === undefined) return '?';
  return `${place.file.id === from.id ? '' : place.file.path}::${place.file.keys[place.index] ?? ''}`;
}

function containment({path, keys, table}: StoredFile): string[] {
  return keys.flatMap((key, at) => {
    const parent = table.parents[at] ?? -1;
    return parent < 0 ? [] : [`${path} ${keys[parent] ?? ''} contains ${key}`];
  });
}

/** Files given by their lines. */
export function textsOf(files: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, lines]) => [path, `${lines.join('\n')}\n`]));
}
