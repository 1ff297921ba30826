// Entry of every npm script. Runs on any Node ≥ 20: it installs what the lockfile names when needed, then goes on with the pinned Node.
import {spawn, spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const STAMP = join(ROOT, 'node_modules', '.fettle-lock');
const OLDEST_NODE = [24, 15];

const [task, ...args] = process.argv.slice(2);
const TASKS = {
  start: () => exec([launcher(), ...startArguments()]),
  test: () => exec([join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--project', '!soak', ...args]),
  soak: () => exec([join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'soak', ...args]),
  check: () => exec([join(ROOT, 'scripts/check.ts'), ...args]),
  bench: () => exec([join(ROOT, 'bench/run.ts'), ...args]),
  build: () => exec([join(ROOT, 'scripts/build.ts'), ...args]),
  format: () => exec([join(ROOT, 'node_modules/oxfmt/bin/oxfmt'), ...args]),
};

install();
if (['start', 'test', 'soak', 'bench'].includes(task)) buildWhenStale();
TASKS[task]();

/** `npm ci`, unless it was done for this very lockfile. */
function install() {
  const lock = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lock) return;
  console.error('fettle: installing the packages of package-lock.json …');
  const npm = process.env.npm_execpath;
  const [command, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  const done = spawnSync(command, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {cwd: ROOT, stdio: ['ignore', 2, 2]});
  if (done.status !== 0) process.exit(done.status ?? 1);
  writeFileSync(STAMP, lock);
}

/** The Node that this repository pins through its platform package; else the present one, where it is new enough. */
function runtime() {
  const pinned = readdirSync(join(ROOT, 'node_modules'))
    .filter((name) => /^node-(bin-)?(linux|darwin|win)-/.test(name))
    .flatMap((name) => ['bin/node', 'bin/node.exe'].map((file) => join(ROOT, 'node_modules', name, file)))
    .find((file) => existsSync(file));
  if (pinned !== undefined) return pinned;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return process.execPath;
  console.error(
    `fettle: Node ${OLDEST_NODE.join('.')} or newer is needed here, this is ${process.versions.node}, and no pinned Node fits this platform.`,
  );
  return process.exit(1);
}

function launcher() {
  return join(ROOT, 'dist/bin/fettle.cjs');
}

function buildWhenStale() {
  const built = join(ROOT, 'dist/package.json');
  const sources = [
    'src',
    'examples/demo',
    'package.json',
    'scripts/build.ts',
    'scripts/join-startup.ts',
    'scripts/builtin-modules.ts',
    'scripts/zod-apart.ts',
    'README.md',
  ].map((path) => join(ROOT, path));
  if (existsSync(built) && Math.max(...sources.map(newest)) < statSync(built).mtimeMs) return;
  const done = spawnSync(runtime(), [join(ROOT, 'scripts/build.ts')], {cwd: ROOT, stdio: ['ignore', 2, 2]});
  if (done.status !== 0) process.exit(done.status ?? 1);
}

function newest(path) {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** Without arguments: a chat where there is a terminal and a configured model, else the demo. */
function startArguments() {
  if (args.length > 0) return args;
  if (!process.stdin.isTTY || !process.stdout.isTTY) return ['demo'];
  const shown = spawnSync(runtime(), [launcher(), 'config', 'show', '--json'], {encoding: 'utf8'});
  const model = shown.status === 0 ? JSON.parse(shown.stdout).settings?.model : undefined;
  return typeof model === 'string' ? [] : ['demo'];
}

/** Runs a script with the pinned Node; tools that it starts by name find that Node and node_modules/.bin first. */
function exec(argv) {
  const node = runtime();
  const path = [join(ROOT, 'node_modules/.bin'), dirname(node), process.env.PATH].join(process.platform === 'win32' ? ';' : ':');
  const cwd = task === 'start' ? (process.env.INIT_CWD ?? process.cwd()) : ROOT;
  const child = spawn(node, argv, {cwd, stdio: 'inherit', env: {...process.env, PATH: path}});
  // A terminal sends Ctrl-C to the child as well: the child decides, this process only passes its end on.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => {
    if (signal !== null) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else process.exit(code ?? 1);
  });
}
