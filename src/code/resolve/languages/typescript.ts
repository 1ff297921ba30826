import {posix} from 'node:path';
import type {StoredFile} from '../../store/facts-reader.ts';
import type {CodeBase} from '../code-base.ts';
import type {LanguageRules} from '../language-rules.ts';
import {declaredName} from './declared-modules.ts';
import {packageFiles} from './node-packages.ts';
import {mappedPaths} from './path-mapping.ts';
import {sourceAt} from './source-at.ts';

/** TypeScript and JavaScript: relative specifiers, `paths` and `baseUrl` of the nearest tsconfig, packages of the repository. */
export const typescriptRules: LanguageRules = {
  exportsAreMarked: true,
  modules(module, from, base) {
    // The path is remembered and not the file: that one is as large as what is known of it.
    const path = base.remember(`${posix.dirname(from.path)} ${module}`, () => specified(module, from, base)?.path);
    const found = path === undefined ? undefined : base.at(path);
    return found === undefined ? [] : [found];
  },
  declared: declaredName,
};

function specified(module: string, from: StoredFile, base: CodeBase): StoredFile | undefined {
  const folder = posix.dirname(from.path);
  if (/^\.{1,2}(?:\/|$)/.test(module)) return sourceAt(posix.join(folder, module), base);
  for (const path of mappedPaths(module, folder, base)) {
    const found = sourceAt(path, base);
    if (found !== undefined) return found;
  }
  return packageFiles(module, folder, base);
}
