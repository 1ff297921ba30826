import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {listSources} from '../../src/code/index/list-sources.ts';
import {updateIndex} from '../../src/code/index/update-index.ts';
import {placeOfNumber} from '../../src/code/store/code-symbol.ts';
import {FactsReader} from '../../src/code/store/facts-reader.ts';
import {openForBuilding, openForReading} from '../../src/code/store/open-database.ts';
import {relationsOf} from '../../src/code/store/relations-of.ts';
import {scratch} from '../support/scratch.ts';

/** An index of these files, in a folder of that name where that matters, built in this process: few files need no other. */
export async function indexFiles(files: Readonly<Record<string, string>>, folder = '.'): Promise<string> {
  const root = join(await scratch(Object.fromEntries(Object.entries(files).map(([path, text]) => [join(folder, path), text]))), folder);
  const path = join(await scratch(), 'index.sqlite');
  await updateFiles(root, path);
  return path;
}

/** Brings such an index to what the files are now; `step` files at a time: few enough leave nothing to other threads. */
export async function updateFiles(root: string, path: string, step = Infinity): Promise<void> {
  const database = openForBuilding(path);
  try {
    const {sources, settings} = await listSources(root);
    const present = new Set(sources.map((source) => source.path));
    const removed = database
      .prepare('SELECT path FROM file')
      .all()
      .map((row) => String(row['path']))
      .filter((known) => !present.has(known));
    const entry = new URL('../../src/code/index/index-process.ts', import.meta.url);
    const {signal} = new AbortController();
    const update = {root, database, settings, removed, overlays: new Map(), entry, progress: () => undefined};
    for (let from = 0; from === 0 || from < sources.length; from += step)
      await updateIndex({...update, sources: sources.slice(from, from + step)}, signal);
  } finally {
    database.close();
  }
}

/** What stands in an index, in words: two indexes of the same files have the same dump, however they came about. */
export function dumpIndex(path: string): string[] {
  return read(path, (reader, ids) =>
    ids.flatMap((id) => {
      const file = reader.get(id);
      if (file === undefined) return [];
      const symbols = file.keys.map(
        (key, at) => `${file.path} ${key} ${JSON.stringify(file.details[at])} ${String(file.table.exported[at])}`,
      );
      return [...symbols, ...relations(reader, id, () => true)];
    }),
  );
}

/** What the uses of names mean that are declared in other files: `a.ts:1 start -> b.ts::Server.start#method`. */
export function meanings(path: string, language?: string): string[] {
  return read(path, (reader, ids) =>
    ids.flatMap((id) => (language === undefined || reader.get(id)?.language === language ? relations(reader, id, (own) => !own) : [])),
  );
}

function relations(reader: FactsReader, id: number, wanted: (isOwn: boolean) => boolean): string[] {
  const file = reader.get(id);
  if (file === undefined) return [];
  return [...relationsOf(file)].flatMap(({kind, name, range, target}) => {
    const place = placeOfNumber(reader, target);
    if (!wanted(place?.file.id === id)) return [];
    const to = place === undefined ? '?' : `${place.file.path}::${place.file.keys[place.index] ?? ''}`;
    return [`${file.path}:${range.start.line + 1} ${kind} ${name} -> ${to}`];
  });
}

function read(path: string, ask: (reader: FactsReader, ids: readonly number[]) => string[]): string[] {
  const database = openForReading(path);
  if (database === undefined) return [];
  try {
    const ids = database.prepare('SELECT id FROM file ORDER BY path').all();
    return ask(
      new FactsReader(database),
      ids.map((row) => Number(row['id'])),
    );
  } finally {
    database.close();
  }
}

/** For tests that keep a thing open. */
export function closing<T extends {close(): Promise<void> | void}>(thing: T): T {
  onTestFinished(async () => {
    await thing.close();
  });
  return thing;
}
