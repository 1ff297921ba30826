/** How the tests of a language are run in an exercise of Exercism's tracks. */
export interface TestLanguage {
  readonly name: string;
  /** Programs that must be on PATH. */
  readonly needs: readonly string[];
  /** Folder that must be in the exercise, because nothing is installed here. */
  readonly needsFolder?: string | undefined;
  /** Shell line; `files` are the tests. */
  readonly command: (files: readonly string[]) => string;
  /** Files and folders that its tools load by themselves: where the exercise has none, the agent's would decide what is run. */
  readonly loads?: readonly string[] | undefined;
  /** Switches on tests that are skipped at first, one after the other, for people who learn. */
  readonly unskip?: ((source: string) => string) | undefined;
}

/** Words of a shell line. */
export const quoted = (files: readonly string[]): string => files.map((file) => `'${file.replaceAll("'", String.raw`'\''`)}'`).join(' ');
const NODE_TESTS = {
  needs: ['node'],
  needsFolder: 'node_modules',
  command: (files: readonly string[]) => `node node_modules/jest/bin/jest.js --ci --rootDir . ${quoted(files)}`,
  unskip: (source: string) => source.replaceAll(/\bx(test|it|describe)\(/g, '$1(').replaceAll(/\b(test|it|describe)\.skip\(/g, '$1('),
};

/** By the ending of a test file (Exercism › tracks; skipped tests as their test runners switch them on). */
export const LANGUAGES: ReadonlyMap<string, TestLanguage> = new Map<string, TestLanguage>([
  ['.py', {name: 'python', needs: ['python3', 'pytest'], command: (files) => `python3 -m pytest -q -p no:cacheprovider ${quoted(files)}`}],
  ['.js', {name: 'javascript', ...NODE_TESTS}],
  ['.ts', {name: 'typescript', ...NODE_TESTS}],
  ['.go', {name: 'go', needs: ['go'], command: () => 'GOFLAGS=-mod=mod GOPROXY=off go test ./...'}],
  [
    '.rs',
    {name: 'rust', needs: ['cargo'], command: () => 'cargo test --offline --quiet -- --include-ignored', loads: ['build.rs', '.cargo']},
  ],
  [
    '.cpp',
    {
      name: 'cpp',
      needs: ['cmake', 'make', 'g++'],
      command: () => 'cmake -S . -B .fettle-build -DEXERCISM_RUN_ALL_TESTS=1 && cmake --build .fettle-build',
    },
  ],
  [
    '.c',
    {
      name: 'c',
      needs: ['gcc', 'make'],
      command: () => 'make',
      loads: ['GNUmakefile', 'makefile', 'Makefile'],
      unskip: (source) => source.replaceAll(/^\s*TEST_IGNORE\w*\(.*\);.*$/gm, ''),
    },
  ],
  [
    '.java',
    {
      name: 'java',
      needs: ['java', 'gradle'],
      command: () => 'gradle test --offline',
      loads: ['settings.gradle', 'settings.gradle.kts', 'gradle.properties', 'buildSrc'],
      unskip: (source) => source.replaceAll(/@Disabled(?:\([^)]*\))?/g, ''),
    },
  ],
  ['.bats', {name: 'bash', needs: ['bash', 'bats'], command: (files) => `BATS_RUN_SKIPPED=true bats ${quoted(files)}`}],
  ['.sh', {name: 'bash', needs: ['bash', 'bats'], command: (files) => `BATS_RUN_SKIPPED=true bats ${quoted(files)}`}],
]);
