import type {LanguageFn} from 'highlight.js';

/** The language that a word after a fence or a file extension stands for; undefined if its code is shown without colours. */
export function codeLanguage(word: string): string | undefined {
  const name = word.toLowerCase();
  return NAMES.get(name);
}

/** The language of a file, by the ending of its name. */
export function languageOfFile(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return codeLanguage(name.slice(name.lastIndexOf('.') + 1));
}

interface CodeLanguage {
  /** Other words for it, and endings of its files. */
  readonly words: string;
  readonly load: () => Promise<{readonly default: LanguageFn}>;
}

/** Written out one by one, so that each is a file of its own in the package and is read when its first code comes. */
export const CODE_LANGUAGES: ReadonlyMap<string, CodeLanguage> = new Map(
  Object.entries({
    bash: {words: 'sh zsh shell console shellscript bats', load: () => import('highlight.js/lib/languages/bash')},
    c: {words: 'h', load: () => import('highlight.js/lib/languages/c')},
    cpp: {words: 'c++ cc cxx hpp hh hxx', load: () => import('highlight.js/lib/languages/cpp')},
    csharp: {words: 'cs c#', load: () => import('highlight.js/lib/languages/csharp')},
    css: {words: '', load: () => import('highlight.js/lib/languages/css')},
    diff: {words: 'patch', load: () => import('highlight.js/lib/languages/diff')},
    dockerfile: {words: 'docker', load: () => import('highlight.js/lib/languages/dockerfile')},
    elixir: {words: 'ex exs', load: () => import('highlight.js/lib/languages/elixir')},
    go: {words: 'golang', load: () => import('highlight.js/lib/languages/go')},
    graphql: {words: 'gql', load: () => import('highlight.js/lib/languages/graphql')},
    ini: {words: 'toml cfg conf', load: () => import('highlight.js/lib/languages/ini')},
    java: {words: '', load: () => import('highlight.js/lib/languages/java')},
    javascript: {words: 'js jsx mjs cjs', load: () => import('highlight.js/lib/languages/javascript')},
    json: {words: 'jsonc json5 jsonl', load: () => import('highlight.js/lib/languages/json')},
    kotlin: {words: 'kt kts', load: () => import('highlight.js/lib/languages/kotlin')},
    lua: {words: '', load: () => import('highlight.js/lib/languages/lua')},
    makefile: {words: 'make mk', load: () => import('highlight.js/lib/languages/makefile')},
    markdown: {words: 'md', load: () => import('highlight.js/lib/languages/markdown')},
    php: {words: '', load: () => import('highlight.js/lib/languages/php')},
    powershell: {words: 'ps1 psm1 pwsh', load: () => import('highlight.js/lib/languages/powershell')},
    python: {words: 'py pyi python3', load: () => import('highlight.js/lib/languages/python')},
    ruby: {words: 'rb rake gemfile', load: () => import('highlight.js/lib/languages/ruby')},
    rust: {words: 'rs', load: () => import('highlight.js/lib/languages/rust')},
    scala: {words: 'sc', load: () => import('highlight.js/lib/languages/scala')},
    scss: {words: 'sass', load: () => import('highlight.js/lib/languages/scss')},
    sql: {words: '', load: () => import('highlight.js/lib/languages/sql')},
    swift: {words: '', load: () => import('highlight.js/lib/languages/swift')},
    typescript: {words: 'ts tsx mts cts', load: () => import('highlight.js/lib/languages/typescript')},
    xml: {words: 'html htm svg xhtml vue svelte', load: () => import('highlight.js/lib/languages/xml')},
    yaml: {words: 'yml', load: () => import('highlight.js/lib/languages/yaml')},
  } satisfies Record<string, CodeLanguage>),
);

const NAMES: ReadonlyMap<string, string> = new Map(
  [...CODE_LANGUAGES].flatMap(([name, {words}]) => [name, ...words.split(' ').filter(Boolean)].map((word) => [word, name] as const)),
);
