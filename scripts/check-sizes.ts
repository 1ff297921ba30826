// File sizes: none over 400 lines, the median under 90, each README of a folder at most 20. Function sizes are checked by lint.
import {readdirSync, readFileSync, existsSync} from 'node:fs';
import {join} from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');
const LIMITS = {file: 400, median: 90, readme: 20, agents: 150, architecture: 200};

const lines = (path: string): number => readFileSync(path, 'utf8').split('\n').length - 1;
const files = readdirSync(SRC, {recursive: true, encoding: 'utf8'})
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({name, lines: lines(join(SRC, name)), table: /\.(table|gen)\.tsx?$/.test(name)}));
const counted = files.filter((file) => !file.table);
const median = counted.map((file) => file.lines).sort((a, b) => a - b)[Math.floor(counted.length / 2)] ?? 0;

const problems = [
  ...counted.filter((file) => file.lines > LIMITS.file).map((file) => `src/${file.name}: ${file.lines} lines, at most ${LIMITS.file}`),
  ...(median > LIMITS.median ? [`the median file has ${median} lines, at most ${LIMITS.median}`] : []),
  ...readdirSync(SRC).flatMap((folder) => readme(folder)),
  ...bounded('AGENTS.md', LIMITS.agents),
  ...bounded('ARCHITECTURE.md', LIMITS.architecture),
];
for (const problem of problems) console.error(problem);
console.log(`${counted.length} files, median ${median} lines`);
process.exitCode = problems.length === 0 ? 0 : 1;

function readme(folder: string): string[] {
  return existsSync(join(SRC, folder, 'README.md')) ? bounded(`src/${folder}/README.md`, LIMITS.readme) : [`src/${folder}: no README.md`];
}

function bounded(path: string, limit: number): string[] {
  const count = lines(join(ROOT, path));
  return count > limit ? [`${path}: ${count} lines, at most ${limit}`] : [];
}
