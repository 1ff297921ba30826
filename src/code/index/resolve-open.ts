import {readFileSync} from 'node:fs';
import {basename, join, posix} from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {parse} from 'jsonc-parser';
import {isKey} from '../file-facts.ts';
import type {CodeBase, Place} from '../resolve/code-base.ts';
import {createLookup} from '../resolve/create-lookup.ts';
import {resolveFile} from '../resolve/resolve-file.ts';
import {isInstalled} from './is-installed.ts';
import {FactsReader} from '../store/facts-reader.ts';
import type {Resolution} from '../store/index-writer.ts';
import {fileKey, folderKey, nameKey, openUseKey, stemKey} from '../store/needs.ts';
import {fileOf, inFileOf} from '../store/symbol-number.ts';

/** Says what the names of a file mean. The files of the index must not change while it is used. */
export function createResolver(database: DatabaseSync, root: string): (file: number) => Resolution {
  const reader = new FactsReader(database);
  const needs = new Set<number>();
  const base = codeBase({database, root, reader, needs});
  return (id) => {
    needs.clear();
    const file = reader.getKept(id);
    const {targets, more} = file === undefined ? NOTHING : resolveFile(createLookup(base), file);
    needs.delete(fileKey(id));
    const open = new Set(file?.uses.flatMap(({name, receiver}, at) => (targets[at] === 0 && !isKey(receiver) ? name : [])));
    return {file: id, targets, more, open: Array.from(open, openUseKey), needs: [...needs]};
  };
}

const NOTHING = {targets: new Float64Array(), more: new Float64Array()};

interface Sources {
  readonly database: DatabaseSync;
  readonly root: string;
  readonly reader: FactsReader;
  readonly needs: Set<number>;
}

function codeBase({database, root, reader, needs}: Sources): CodeBase {
  const byPath = new Map<string, number | undefined>();
  const idOf = database.prepare('SELECT id FROM file WHERE path = ?');
  const below = database.prepare('SELECT id, path FROM file WHERE path >= ? AND path < ?');
  const symbols = database.prepare(
    'SELECT symbol FROM named WHERE name = (SELECT id FROM name WHERE text = ?) ORDER BY rank, symbol LIMIT 50',
  );
  const settingsPaths = database.prepare('SELECT value FROM meta WHERE key = ?');
  const texts = new Map<string, string>();
  const parsed = new Map<string, unknown>();
  const decided = new Map<string, unknown>();
  const folders = new Map<string, readonly number[]>();
  const called = new Map<string, readonly number[]>();
  const idsIn = (folder: string): number[] => {
    const prefix = folder === '' ? '' : `${folder}/`;
    const rows = below.all(prefix, `${prefix}\u{10FFFF}`);
    return rows.filter((row) => posix.dirname(String(row['path'])) === (folder === '' ? '.' : folder)).map((row) => Number(row['id']));
  };
  const allSettings = settingsList(settingsPaths.get('settings')?.['value']);
  const settingsText = (path: string): string => remember(texts, path, () => textOf(join(root, path)));
  return {
    at(path) {
      const id = remember(byPath, path, () => numberOr(idOf.get(path)?.['id']));
      return id === undefined ? undefined : reader.getKept(id);
    },
    rootName: basename(root),
    named(name) {
      needs.add(nameKey(name));
      const numbers = remember(called, name, () => symbols.all(name).map((row) => Number(row['symbol'])));
      return numbers.flatMap((symbol) => placeOf(reader, symbol));
    },
    inFolder(folder) {
      needs.add(folderKey(folder === '' ? '.' : folder));
      return remember(folders, folder, () => idsIn(folder)).flatMap((id) => reader.getKept(id) ?? []);
    },
    settingsNamed: (name) => allSettings.filter((path) => posix.basename(path) === name),
    settings: (path) =>
      remember(parsed, path, () =>
        settingsText(path) === '' ? undefined : (parse(settingsText(path), [], {allowTrailingComma: true}) as unknown),
      ),
    settingsText,
    remember: <T>(key: string, find: () => T) => remember(decided, key, find) as T,
    installed: (name) => remember(decided, `installed ${name}`, () => isInstalled(root, name)) as boolean,
    missed: (module) => void needs.add(stemKey(module)),
    used: (file) => void needs.add(fileKey(file.id)),
  };
}

/** As `listSources` has them: path and time, in lines. */
function settingsList(value: unknown): string[] {
  return (typeof value === 'string' ? value : '')
    .split('\n')
    .map((line) => line.slice(0, Math.max(0, line.lastIndexOf(' '))))
    .sort((a, b) => a.length - b.length);
}

function placeOf(reader: FactsReader, symbol: number): Place[] {
  const file = reader.getKept(fileOf(symbol));
  const index = file?.indexOf(inFileOf(symbol)) ?? -1;
  return file === undefined || index < 0 ? [] : [{file, index}];
}

function textOf(path: string): string {
  try {
    const text = readFileSync(path, 'utf8');
    return text.length > 1_000_000 ? '' : text;
  } catch {
    return '';
  }
}

function numberOr(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Of one kind; about 150 bytes each. */
const MOST_ANSWERS = 50_000;

function remember<T>(known: Map<string, T>, key: string, make: () => T): T {
  const before = known.get(key);
  if (before !== undefined || known.has(key)) return before as T;
  const made = make();
  if (known.size >= MOST_ANSWERS) known.clear();
  known.set(key, made);
  return made;
}
