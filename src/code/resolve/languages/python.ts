import {posix} from 'node:path';
import type {StoredFile} from '../../store/facts-reader.ts';
import type {CodeBase} from '../code-base.ts';
import type {LanguageRules} from '../language-rules.ts';

/** Python: relative imports by their dots, others from the folder above the outermost package, the root and `src`. Names need no mark. */
export const pythonRules: LanguageRules = {
  exportsAreMarked: false,
  modules(module, from, base) {
    const found = moduleFile(module, from, base);
    return found === undefined ? [] : [found];
  },
  imported({original, module}, from, base) {
    if (original === '*') return undefined;
    // `from package import module`: what the package declares goes first.
    const own = moduleFile(module, from, base);
    if (own !== undefined && own.named(-1, original).length > 0) return undefined;
    if (own !== undefined && own.id !== from.id && own.links.imports.some(({local}) => local === original)) return undefined;
    const file = moduleFile(`${module}${module.endsWith('.') ? '' : '.'}${original}`, from, base);
    return file === undefined ? undefined : {modules: [file]};
  },
  submodule: (file, name, base) =>
    /__init__\.pyi?$/.test(file.path) ? sourceAt(posix.join(posix.dirname(file.path), name), base) : undefined,
};

function moduleFile(module: string, from: StoredFile, base: CodeBase): StoredFile | undefined {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const path = module.slice(dots).replaceAll('.', '/');
  if (dots > 0) return sourceAt(posix.join(posix.dirname(from.path), '../'.repeat(dots - 1), path), base);
  for (const root of rootsOf(from, base)) {
    const found = sourceAt(posix.join(root, path), base);
    if (found !== undefined) return found;
  }
  return inRoot(path, base);
}

/** The root itself may be the package: `shop.store` is `store` where the folder is called `shop`. */
function inRoot(path: string, base: CodeBase): StoredFile | undefined {
  const isOwn = `${path}/`.startsWith(`${base.rootName}/`) && base.at('__init__.py') !== undefined;
  return isOwn ? sourceAt(path.slice(base.rootName.length + 1), base) : undefined;
}

function* rootsOf(from: StoredFile, base: CodeBase): Generator<string> {
  let folder = posix.dirname(from.path);
  while (folder !== '.' && base.at(posix.join(folder, '__init__.py')) !== undefined) folder = posix.dirname(folder);
  yield folder;
  yield '.';
  yield 'src';
}

function sourceAt(path: string, base: CodeBase): StoredFile | undefined {
  if (path.startsWith('..')) return undefined;
  const clean = path === '.' ? '' : path.replace(/\/$/, '');
  const files = clean === '' ? ['__init__.py'] : [`${clean}/__init__.py`, `${clean}.py`, `${clean}.pyi`];
  return files.map((file) => base.at(file)).find((file) => file !== undefined);
}
