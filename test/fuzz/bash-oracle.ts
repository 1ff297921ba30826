import {spawn} from 'node:child_process';
import {mkdir, readFile, symlink, writeFile} from 'node:fs/promises';
import {existsSync, mkdirSync, readdirSync, rmdirSync} from 'node:fs';
import {join} from 'node:path';
import type {Readable} from 'node:stream';

/** What bash did with a line. */
export interface Observed {
  /** The words of each program that was started; bash itself and builtins are not seen. */
  readonly started: readonly (readonly string[])[];
  /** Files that were made in the folder of the line. */
  readonly files: readonly string[];
}

/**
 * Runs lines in real bash, each in a subshell and an empty folder of its own. No program is reached but a few wrappers and stubs that write
 * down their words; every other name goes to `command_not_found_handle`, which does the same without a process.
 */
export async function watchBash(lines: readonly string[], root: string): Promise<readonly Observed[]> {
  await prepare(root, lines);
  await runScript(root);
  return await collect(root, lines.length);
}

const MARK = '\x1eREC';
const WRAPPERS = ['env', 'nice', 'timeout', 'nohup', 'setsid', 'stdbuf', 'xargs', 'find', 'bash', 'sh'];
const STUBS = ['w1', 'w2', 'dw'];

async function prepare(root: string, lines: readonly string[]): Promise<void> {
  await mkdir(join(root, 'bin'), {recursive: true});
  await mkdir(join(root, 'work'));
  await Promise.all(
    WRAPPERS.map((name) =>
      symlink(name === 'sh' ? '/bin/bash' : existsSync(`/usr/bin/${name}`) ? `/usr/bin/${name}` : `/bin/${name}`, join(root, 'bin', name)),
    ),
  );
  await Promise.all(STUBS.map((name) => writeFile(join(root, 'bin', name), stub(name), {mode: 0o755})));
  for (const n of lines.keys()) mkdirSync(join(root, 'work', `n${n}`));
  await writeFile(join(root, 'lines'), lines.map((line) => `${line}\0`).join(''));
  await writeFile(join(root, 'log'), '');
  await writeFile(join(root, 'script'), SCRIPT);
}

function stub(name: string): string {
  return `#!/bin/sh
printf '%s\\0' "${MARK}" "$n" "$(($#+1))" ${name} "$@" >&9
`;
}

/** A line gives up after 200 commands: it may loop. Names that are not known are tried as programs, and then written down by the handler. */
const SCRIPT = `
export PATH=$1/bin HOME=$1/work ; export -n OLDPWD
cd "$1/work"
exec 9>> "$1/log"
command_not_found_handle() { builtin printf '%s\\0' "${MARK}" "$n" "$#" "$@" >&9; }
for _name in p1 p2 p3 p4 d1 echo true test; do
  eval "$_name"'() { builtin printf "%s\\\\0" "${MARK}" "$n" "$(($#+1))" '"$_name"' "$@" >&9; }'
done
export -f command_not_found_handle p1 p2 p3 p4 d1
enable -n echo true false test [ pwd kill
mapfile -d '' _lines < "$1/lines"
export n
ulimit -t 20 -f 200
for n in "\${!_lines[@]}"; do
  (
    builtin printf '%s\\n' "$BASHPID" >&3
    exec 2>/dev/null 3>&-
    set --
    set -T
    trap '((++_count > 200)) && exit 3' DEBUG
    cd "$HOME/n$n"
    eval "\${_lines[n]}"
    trap - DEBUG
    wait
  ) < /dev/null > /dev/null 2>&1
done
`;

async function runScript(root: string): Promise<void> {
  const child = spawn('/bin/bash', ['--norc', '--noprofile', join(root, 'script'), root], {
    cwd: root,
    env: {LC_ALL: 'C.UTF-8'},
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const {pid} = child;
  if (pid === undefined) throw new Error('bash did not start');
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const watch = killStuckLines(child.stdio[3] as Readable);
  await ended;
  clearInterval(watch);
  // Whatever a line left behind.
  killIfThere(-pid);
}

/** Each line tells the process id of its subshell; one that is there for long waits for something that never comes. */
function killStuckLines(announced: Readable): NodeJS.Timeout {
  let [current, ticks] = [0, 0];
  announced.on('data', (chunk: Buffer) => {
    current = Number(chunk.toString().trim().split('\n').at(-1));
    ticks = 0;
  });
  return setInterval(() => {
    ticks += 1;
    if (ticks < STUCK_TICKS || current === 0) return;
    ticks = 0;
    killIfThere(current);
  }, 500);
}

const STUCK_TICKS = 4;

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

async function collect(root: string, count: number): Promise<readonly Observed[]> {
  const started: string[][][] = Array.from({length: count}, () => []);
  // Two processes of a line wrote a text with line ends at the same time.
  const garbled = new Set<number>();
  const fields = (await readFile(join(root, 'log'), 'utf8')).split('\0');
  for (let at = 0; at + 2 < fields.length; at += 1) {
    // A line may write into the log itself: a record begins where its mark stands.
    if (fields[at]?.endsWith(MARK) !== true) continue;
    const argv = fields.slice(at + 3, at + 3 + Number(fields[at + 2]));
    // A program without its environment does not know which line it is of.
    if (fields[at + 1] === '') continue;
    const line = Number(fields[at + 1]);
    // Nor does a program that was killed while it wrote tell all of its words.
    if (argv.length === 0 || argv.length < Number(fields[at + 2]) || argv.some((field) => field.includes(MARK))) garbled.add(line);
    started[line]?.push(argv);
  }
  for (const line of garbled) started[line] = [];
  return started.map((argvs, n) => ({started: argvs, files: filesOf(join(root, 'work', `n${n}`))}));
}

/** What is in the folder of a line. Nearly all are empty and go at once: each that is left costs more when the test ends. */
function filesOf(folder: string): readonly string[] {
  const files = readdirSync(folder);
  if (files.length === 0) rmdirSync(folder);
  return files;
}
