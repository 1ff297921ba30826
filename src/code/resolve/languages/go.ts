import {posix} from 'node:path';
import type {StoredFile} from '../../store/facts-reader.ts';
import type {CodeBase} from '../code-base.ts';
import type {LanguageRules} from '../language-rules.ts';

/** Go: a package is a folder; its path is that of the module in `go.mod` and the folder below. */
export const goRules: LanguageRules = {
  exportsAreMarked: true,
  modules(module, _, base) {
    for (const path of base.settingsNamed('go.mod')) {
      const name = /^module\s+"?([^\s"]+)/m.exec(base.settingsText(path))?.[1];
      if (name === undefined || (module !== name && !module.startsWith(`${name}/`))) continue;
      return packageFiles(posix.join(posix.dirname(path), module.slice(name.length + 1)), base);
    }
    return [];
  },
  ambient(name, from, base) {
    for (const file of siblings(from, base)) {
      const index = file.named(-1, name)[0];
      if (index !== undefined) return {file, index};
    }
    return undefined;
  },
  siblings,
};

function siblings(from: StoredFile, base: CodeBase): readonly StoredFile[] {
  return base.inFolder(folderOf(posix.dirname(from.path))).filter(({language, id}) => language === 'go' && id !== from.id);
}

function packageFiles(folder: string, base: CodeBase): readonly StoredFile[] {
  return base.inFolder(folderOf(folder)).filter(({language, path}) => language === 'go' && !path.endsWith('_test.go'));
}

function folderOf(path: string): string {
  return path === '.' ? '' : path.replace(/\/$/, '');
}
