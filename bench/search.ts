import {spawn} from 'node:child_process';
import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createSearchEngine} from '../src/search/create-engine.ts';
import type {FilesQuery, GrepQuery} from '../src/search/engine.ts';

const PAIRS = 9;
const {rgPath} = createRequire(import.meta.url)('@vscode/ripgrep') as {rgPath: string};
const root = join(tmpdir(), `fettle-bench-tree-${process.pid}`);
const ripgrep = createSearchEngine();
const builtin = createSearchEngine({locate: () => undefined});
const signal = new AbortController().signal;
const rules = {root, hidden: false, ignoreFiles: true, requireGit: true} as const;

const grep = (pattern: string): GrepQuery => ({
  ...rules,
  pattern,
  caseInsensitive: false,
  multiline: false,
  globs: [],
  maxMatches: 200,
  maxLineChars: 500,
  contextLines: 0,
  timeoutMs: 60_000,
});
const files = (pattern: string, dialect: 'bash' | 'gitignore'): FilesQuery => ({
  ...rules,
  match: {dialect, pattern},
  order: 'newest',
  limit: 200,
});

/** At most `times` the time of raw ripgrep, and `plusMs`. */
interface SearchRow {
  readonly name: string;
  readonly raw: readonly string[];
  readonly ours: () => Promise<unknown>;
  readonly budget: {readonly times: number; readonly plusMs: number};
}

const GREP = {times: 1.15, plusMs: 10};
const BUILT_IN = {times: 5, plusMs: 0};
const GLOB = {times: 1.3, plusMs: 10};

const pairs: readonly SearchRow[] = [
  {
    name: 'grep, one match',
    raw: ['-n', 'value99999 ', './'],
    ours: () => ripgrep.grep(grep('value99999 '), signal),
    budget: GREP,
  },
  {
    name: 'grep, 1,000 matches',
    raw: ['-n', "needle77'", './'],
    ours: () => ripgrep.grep(grep("needle77'"), signal),
    budget: GREP,
  },
  {name: 'grep, 300,000 matches', raw: ['-n', 'needle', './'], ours: () => ripgrep.grep(grep('needle'), signal), budget: GREP},
  {
    name: 'grep regex, no match',
    raw: ['-n', 'const \\w+9 = [a-f]', './'],
    ours: () => ripgrep.grep(grep('const \\w+9 = [a-f]'), signal),
    budget: GREP,
  },
  {name: 'built-in, one match', raw: ['-n', 'value99999 ', './'], ours: () => builtin.grep(grep('value99999 '), signal), budget: BUILT_IN},
  {
    name: 'built-in regex, no match',
    raw: ['-n', 'const \\w+9 = [a-f]', './'],
    ours: () => builtin.grep(grep('const \\w+9 = [a-f]'), signal),
    budget: BUILT_IN,
  },
  {name: 'glob **/*.ts, newest', raw: ['--files'], ours: () => ripgrep.files(files('**/*.ts', 'bash'), signal), budget: GLOB},
  {name: 'glob *.rs, newest', raw: ['--files'], ours: () => ripgrep.files(files('*.rs', 'gitignore'), signal), budget: GLOB},
  {
    name: 'glob src/**, by path',
    raw: ['--files'],
    ours: () => ripgrep.files({...files('pkg1/**', 'bash'), order: 'path'}, signal),
    budget: GLOB,
  },
  {
    name: 'all files, by path',
    raw: ['--files'],
    ours: () => ripgrep.files({...rules, order: 'path', limit: 200}, signal),
    budget: GLOB,
  },
  {
    // The time of every file has to be asked for: so must ripgrep.
    name: 'all files, newest',
    raw: ['--files', '--sortr', 'modified'],
    ours: () => ripgrep.files({...rules, order: 'newest', limit: 200}, signal),
    budget: GLOB,
  },
];

/** The budgets for grep and glob on a tree of 100,000 files, against raw `rg` with the same flags. Returns how many are broken. */
export async function measureSearch(): Promise<number> {
  let failed = 0;
  try {
    makeTree();
    for (const row of pairs) failed += (await measure(row)) ? 0 : 1;
  } finally {
    rmSync(root, {recursive: true, force: true});
  }
  return failed;
}

async function measure({name, raw, ours, budget}: SearchRow): Promise<boolean> {
  const rawTimes: number[] = [];
  const ourTimes: number[] = [];
  await ours();
  for (let pair = 0; pair < PAIRS; pair++) {
    rawTimes.push(await timed(() => runRaw(raw)));
    ourTimes.push(await timed(ours));
  }
  const [a, b] = [median(rawTimes), median(ourTimes)];
  const ok = b <= a * budget.times + budget.plusMs;
  const limit = `budget ${budget.times} x${budget.plusMs > 0 ? ` + ${budget.plusMs} ms` : ''}`;
  console.log(
    `${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(24)} ${(b / a).toFixed(2).padStart(6)} x  (${limit})  ${b.toFixed(1)} / ${a.toFixed(1)} ms`,
  );
  return ok;
}

function makeTree(): void {
  let count = 0;
  for (let folder = 0; folder < 2000; folder++) {
    const path = join(root, `pkg${folder % 20}`, `mod${Math.floor(folder / 20) % 10}`, `part${Math.floor(folder / 200)}`);
    mkdirSync(path, {recursive: true});
    for (let i = 0; i < 50; i++, count++) {
      const text = `// file ${count}\nexport const value${count} = ${count};\nfunction f() { return 'needle${count % 1000}'; }\n`;
      writeFileSync(join(path, `file${i}.${['ts', 'js', 'md', 'rs', 'py'][i % 5] ?? ''}`), text.repeat(3));
    }
  }
  mkdirSync(join(root, '.git', 'objects'), {recursive: true});
  mkdirSync(join(root, '.git', 'refs'), {recursive: true});
  writeFileSync(join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(
    join(root, '.gitignore'),
    'node_modules/\n*.log\n/dist/\n.env\n.env.*\n!.env.example\n*.py[co]\ncoverage/\n*.tsbuildinfo\n',
  );
}

function runRaw(args: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(rgPath, ['--no-config', ...args], {cwd: root, stdio: ['ignore', 'pipe', 'inherit']});
    child.stdout.resume();
    child.on('close', () => resolve());
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}
