/** Compares the search engines with raw `rg` on a tree of 100,000 files: the budgets for grep and glob. Prints ratios of medians. */
import {spawn} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createSearchEngine} from '../src/search/create-engine.ts';
import type {FilesQuery, GrepQuery} from '../src/search/engine.ts';

const PAIRS = 9;
const {rgPath} = createRequire(import.meta.url)('@vscode/ripgrep') as {rgPath: string};
const root = mkdtempSync(join(tmpdir(), 'fettle-bench-'));
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

const pairs: readonly {name: string; raw: readonly string[]; ours: () => Promise<unknown>; budget: string}[] = [
  {
    name: 'grep, one match',
    raw: ['-n', 'value99999 ', './'],
    ours: () => ripgrep.grep(grep('value99999 '), signal),
    budget: '1.15 + 10 ms',
  },
  {
    name: 'grep, 1,000 matches',
    raw: ['-n', "needle77'", './'],
    ours: () => ripgrep.grep(grep("needle77'"), signal),
    budget: '1.15 + 10 ms',
  },
  {name: 'grep, 300,000 matches', raw: ['-n', 'needle', './'], ours: () => ripgrep.grep(grep('needle'), signal), budget: '1.15 + 10 ms'},
  {
    name: 'grep regex, no match',
    raw: ['-n', 'const \\w+9 = [a-f]', './'],
    ours: () => ripgrep.grep(grep('const \\w+9 = [a-f]'), signal),
    budget: '1.15 + 10 ms',
  },
  {name: 'built-in, one match', raw: ['-n', 'value99999 ', './'], ours: () => builtin.grep(grep('value99999 '), signal), budget: '5'},
  {
    name: 'built-in regex, no match',
    raw: ['-n', 'const \\w+9 = [a-f]', './'],
    ours: () => builtin.grep(grep('const \\w+9 = [a-f]'), signal),
    budget: '5',
  },
  {name: 'glob **/*.ts, newest', raw: ['--files'], ours: () => ripgrep.files(files('**/*.ts', 'bash'), signal), budget: '1.3 + 10 ms'},
  {name: 'glob *.rs, newest', raw: ['--files'], ours: () => ripgrep.files(files('*.rs', 'gitignore'), signal), budget: '1.3 + 10 ms'},
  {
    name: 'glob src/**, by path',
    raw: ['--files'],
    ours: () => ripgrep.files({...files('pkg1/**', 'bash'), order: 'path'}, signal),
    budget: '1.3 + 10 ms',
  },
  {
    name: 'all files, by path',
    raw: ['--files'],
    ours: () => ripgrep.files({...rules, order: 'path', limit: 200}, signal),
    budget: '1.3 + 10 ms',
  },
  {
    name: 'all files, newest',
    raw: ['--files'],
    ours: () => ripgrep.files({...rules, order: 'newest', limit: 200}, signal),
    budget: '1.3 + 10 ms',
  },
];

try {
  makeTree();
  for (const {name, raw, ours, budget} of pairs) {
    const rawTimes: number[] = [];
    const ourTimes: number[] = [];
    await ours();
    for (let pair = 0; pair < PAIRS; pair++) {
      rawTimes.push(await timed(() => runRaw(raw)));
      ourTimes.push(await timed(ours));
    }
    const [a, b] = [median(rawTimes), median(ourTimes)];
    console.log(
      `${name.padEnd(26)} rg ${a.toFixed(1).padStart(7)} ms  ours ${b.toFixed(1).padStart(7)} ms  ratio ${(b / a).toFixed(2)} (budget ${budget})`,
    );
  }
} finally {
  rmSync(root, {recursive: true, force: true});
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
