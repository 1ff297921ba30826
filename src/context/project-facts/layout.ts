import {readdir} from 'node:fs/promises';
import {extname, join} from 'node:path';
import {nestedFolders} from '../../config/trust/nested-folders.ts';

export interface LayoutFolder {
  /** With a `/` at its end; '' for the root. */
  readonly path: string;
  /** `12 TypeScript files, 3 Python files`; the most frequent first. */
  readonly holds: string;
}

/** The top folders of a project with the number of source files below each; without hidden folders and third-party code. */
export async function layoutOf(root: string): Promise<readonly LayoutFolder[]> {
  const counts = new Map<string, Map<string, number>>();
  for (const folder of ['', ...(await nestedFolders(root))]) {
    const top = folder === '' ? '' : `${folder.split('/')[0]}/`;
    const count = counts.get(top) ?? new Map<string, number>();
    counts.set(top, count);
    for (const entry of await readdir(join(root, folder), {withFileTypes: true}).catch(() => [])) {
      const language = entry.isFile() ? LANGUAGES[extname(entry.name).toLowerCase()] : undefined;
      if (language !== undefined) count.set(language, (count.get(language) ?? 0) + 1);
    }
  }
  return [...counts]
    .filter(([path, count]) => path !== '' && count.size > 0 && /^[\w. @+-]{1,60}\/$/.test(path))
    .map(([path, count]) => ({path, holds: holdsText(count)}))
    .slice(0, MOST_FOLDERS);
}

const MOST_FOLDERS = 20;

function holdsText(count: ReadonlyMap<string, number>): string {
  return [...count]
    .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .slice(0, 3)
    .map(([language, files]) => `${files} ${language} ${files === 1 ? 'file' : 'files'}`)
    .join(', ');
}

const LANGUAGES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    TypeScript: '.ts .tsx .mts .cts',
    JavaScript: '.js .jsx .mjs .cjs',
    Python: '.py .pyi',
    Rust: '.rs',
    Go: '.go',
    Java: '.java',
    Kotlin: '.kt .kts',
    'C#': '.cs',
    C: '.c .h',
    'C++': '.cc .cpp .cxx .hpp',
    Ruby: '.rb',
    PHP: '.php',
    Swift: '.swift',
    Elixir: '.ex .exs',
    Shell: '.sh .bash',
    SQL: '.sql',
    HTML: '.html',
    CSS: '.css .scss',
    Vue: '.vue',
    Svelte: '.svelte',
    Markdown: '.md',
  }).flatMap(([language, endings]) => endings.split(' ').map((ending) => [ending, language])),
);
