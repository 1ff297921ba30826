import {posix} from 'node:path';
import type {StoredFile} from '../../store/facts-reader.ts';
import type {CodeBase} from '../code-base.ts';
import type {LanguageRules} from '../language-rules.ts';
import {onlyOne} from './only-one.ts';

/** Ruby, Lua, Bash, Elixir, Swift: files that are named by their path, and types that there is one of in the whole program. */
export const scriptRules: LanguageRules = {
  exportsAreMarked: false,
  membersAreBare: true,
  modules(module, from, base) {
    const found = sourceFile(module, from, base);
    return found === undefined ? [] : [found];
  },
  ambient: (name, from, base) => onlyOne({name, languages: new Set([from.language]), kinds: TYPES, base, from}),
};

const TYPES: ReadonlySet<string> = new Set(['class', 'module', 'struct', 'interface', 'enum', 'trait', 'namespace']);
const ENDINGS: Readonly<Record<string, readonly string[] | undefined>> = {
  ruby: ['.rb'],
  lua: ['.lua', '/init.lua'],
  bash: ['', '.sh', '.bash'],
  elixir: ['.ex'],
};

function sourceFile(module: string, from: StoredFile, base: CodeBase): StoredFile | undefined {
  const isDotted = from.language === 'lua' && !module.includes('/');
  const path = isDotted ? module.replaceAll('.', '/') : module;
  const folders = path.startsWith('.') ? [posix.dirname(from.path)] : [posix.dirname(from.path), '.', 'lib', 'src'];
  for (const folder of folders) {
    for (const ending of ['', ...(ENDINGS[from.language] ?? [])]) {
      const found = base.at(posix.join(folder, path + ending));
      if (found !== undefined && found.id !== from.id) return found;
    }
  }
  return undefined;
}
