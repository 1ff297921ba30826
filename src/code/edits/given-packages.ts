import {readdirSync, type Dirent} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {builtinModules} from 'node:module';
import {join, posix} from 'node:path';
import type {ImportFact} from '../file-facts.ts';
import type {CodeSymbol} from '../symbol.ts';
import type {EditSources} from './edit-plan.ts';
import {wordOf} from './left-names.ts';
import {scriptsWith, wholeUses} from './whole-uses.ts';

/**
 * The first place where a package goes elsewhere as a whole, for a member of an interface: where the package has that name, it may be given for
 * what has that type (`const o: Options = {adapter: DomUtils}`), and keeps its names. As `path:line:column`; undefined where none does.
 */
export async function givenPackages({name, parentId = ''}: CodeSymbol, sources: EditSources): Promise<string | undefined> {
  if (!STRUCTURAL.test(parentId)) return undefined;
  const asked = new Map<string, Promise<boolean>>();
  for (const script of await scriptsWith(/\bimport\b|\brequire\s*\(/, sources)) {
    const packages = script.facts.imports.filter(({original, module}) => WHOLE.has(original) && !/^[./#]/.test(module));
    for (const use of wholeUses(script, packages)) {
      if (!PASSES.has(use.kind)) continue;
      const module = moduleOf(use.name, packages);
      const key = `${posix.dirname(script.path)} ${module}`;
      const has = asked.get(key) ?? mayHave({module, from: script.path, name}, sources);
      asked.set(key, has);
      if (await has) return `${script.path}:${use.range.start.line + 1}:${use.range.start.character + 1}`;
    }
  }
  return undefined;
}

/** What has a type without naming it. */
const STRUCTURAL = /#(?:interface|type|property)(?:~\d+)?$/;
const WHOLE: ReadonlySet<string> = new Set(['*', '=', 'default']);
/** A call gives something else, and types are gone while it runs. */
const PASSES: ReadonlySet<string> = new Set(['reference']);

function moduleOf(name: string, packages: readonly ImportFact[]): string {
  return packages.find(({local}) => local === name)?.module ?? '';
}

interface Asked {
  readonly module: string;
  readonly from: string;
  readonly name: string;
}

/** Whether a file of the package has the name; yes, where it is not there or is too large to look through. */
async function mayHave({module, from, name}: Asked, {root, signal}: EditSources): Promise<boolean> {
  const isBuiltIn = module.startsWith('node:') || builtinModules.includes(module);
  if (isBuiltIn) return name in (process.getBuiltinModule(module) ?? {});
  const word = new RegExp(wordOf(name), 'u');
  const files = packageFolders(module, from).flatMap((folder) => filesIn(join(root, folder)));
  if (files.length === 0 || files.length > MOST_FILES) return true;
  for (const file of files) {
    signal.throwIfAborted();
    const text = await readFile(file, {encoding: 'utf8', signal}).catch(() => ''); // gone meanwhile
    if (word.test(text) || FORWARDS.test(text)) return true;
  }
  return false;
}

/** Where a script may find it inside of the workspace. */
function packageFolders(module: string, from: string): readonly string[] {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? module;
  const folders: string[] = [];
  for (let folder = posix.dirname(from); ; folder = posix.dirname(folder)) {
    folders.push(posix.join(folder, 'node_modules', name));
    if (folder === '.') return folders;
  }
}

const MOST_FILES = 500;
/** It may have all names of another package. */
const FORWARDS = /\bexport\s*\*\s*from\s*['"][^.'"]/;

/** Regular ones: no link leads out of the package, and no pipe is waited for. */
function filesIn(folder: string): readonly string[] {
  const found: string[] = [];
  const open = [folder];
  for (let next = open.pop(); next !== undefined && found.length <= MOST_FILES; next = open.pop()) {
    for (const entry of entriesOf(next)) {
      if (entry.isDirectory() && entry.name !== 'node_modules') open.push(join(next, entry.name));
      else if (entry.isFile() && /\.[cm]?[jt]s$/.test(entry.name)) found.push(join(next, entry.name));
    }
  }
  return found;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, {withFileTypes: true});
  } catch {
    return []; // it is installed elsewhere, or not at all
  }
}
