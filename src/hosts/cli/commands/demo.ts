import {cp, mkdtemp, readFile, realpath, rm} from 'node:fs/promises';
import {existsSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {FettleError} from '../../../base/errors.ts';
import {visibleText} from '../../../base/visible-text.ts';
import {createExecEnvironment} from '../../../exec/create-environment.ts';
import type {CommandResult} from '../../../exec/process/command.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import type {ThreadEvent} from '../../../protocol/events.ts';
import {loadSettings} from '../../../sdk/settings/load-settings.ts';
import {openThread} from '../../../sdk/thread/open-thread.ts';
import {unifiedDiff} from '../../../text/diff/unified-diff.ts';
import {describeOutcome} from '../output/describe-outcome.ts';
import {listenForInterrupts} from '../interrupt.ts';
import type {Io} from '../io.ts';
import {createProgress} from '../output/progress.ts';

/**
 * `fettle demo`: the real loop with real tools on a copy of a small project with a failing test; only the model is recorded.
 * Ends with 0 only where the tests of that project really pass afterwards.
 */
export async function demo(io: Io, options: {readonly keep?: true}): Promise<number> {
  const source = demoFolder();
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'fettle-demo-')));
  const interrupts = listenForInterrupts(() => io.note('Cancelling.'));
  try {
    await cp(source, folder, {recursive: true, filter: (path) => !path.endsWith('recording.json')});
    return await show({io, source, folder, keep: options.keep === true}, interrupts.signal());
  } finally {
    interrupts.dispose();
    if (options.keep !== true) await rm(folder, {recursive: true, force: true});
  }
}

interface Stage {
  readonly io: Io;
  readonly source: string;
  readonly folder: string;
  readonly keep: boolean;
}

async function show({io, source, folder, keep}: Stage, signal: AbortSignal): Promise<number> {
  const say = (text: string): void => io.data(`${text}\n`);
  const heading = (text: string): void => say(`\n${io.paint('bold', text)}`);
  say('This is the whole loop of Fettle on a small project with a failing test.');
  say('The tools are real and so are the files; only the model is a recording: no key, no network.');

  heading(`The task: ${TASK}`);
  const changed = new Set<string>();
  const result = await repair({io, source, folder, onChange: (path) => changed.add(path)}, signal);
  if (result.outcome !== 'success') io.note(describeOutcome(result, io.paint));

  heading('What changed');
  for (const path of changed) say(await diffOf(path, {source, folder}));

  heading('The tests of the project, run once more');
  const tests = await runTests(io, folder, signal);
  say(tail(tests.stdout.tail || tests.stdout.head));
  const passed = tests.exitCode === 0 && result.outcome === 'success';
  heading(passed ? 'They pass.' : 'They do not pass.');
  if (keep) say(`The project is in ${folder}`);
  say(NEXT);
  return passed ? EXIT.done : EXIT.failed;
}

const TASK = 'A test of this project fails. Find out why, fix it, and show that the tests pass.';

interface Repair {
  readonly io: Io;
  readonly source: string;
  readonly folder: string;
  readonly onChange: (path: string) => void;
}

async function repair({io, source, folder, onChange}: Repair, signal: AbortSignal): Promise<Awaited<ReturnType<RunThread>>> {
  const flags = {
    '--model': `script:${join(source, 'recording.json')}`,
    '--mode': 'accept-edits',
    '--toolset': 'fettle',
    '--allow': ['bash:node --test'],
  };
  // The settings of the person who looks at it do not matter here: a strict rule of theirs would stop the recording.
  const env = {PATH: io.env['PATH'], HOME: io.env['HOME'], FETTLE_HOME: join(folder, '.fettle-home')};
  const session = await loadSettings({cwd: folder, env, home: io.home, flags});
  const progress = createProgress({...io, note: (line) => io.data(`${line}\n`)});
  const thread = await openThread({session, onEvent: watch(progress, onChange)}, signal);
  const result = await thread.run(TASK, signal);
  await thread.close(result);
  return result;
}

type RunThread = Awaited<ReturnType<typeof openThread>>['run'];

function watch(progress: (event: ThreadEvent) => void, onChange: (path: string) => void): (event: ThreadEvent) => void {
  return (event) => {
    if (event.type === 'item.completed' && event.item.type === 'file_change') for (const {path} of event.item.changes) onChange(path);
    progress(event);
  };
}

async function diffOf(path: string, {source, folder}: {source: string; folder: string}): Promise<string> {
  const name = path.slice(folder.length + 1);
  const before = await readFile(join(source, name), 'utf8').catch(() => '');
  const after = await readFile(path, 'utf8').catch(() => '');
  return visibleText(await unifiedDiff(before, after, name)).trimEnd();
}

async function runTests(io: Io, folder: string, signal: AbortSignal): Promise<CommandResult> {
  const environment = createExecEnvironment({cwd: folder, spoolDir: join(folder, '.fettle-home', 'spool'), env: io.env});
  const capture = {headBytes: 4096, tailBytes: 4096};
  return await environment.run({program: process.execPath, args: ['--test'], timeoutMs: 60_000, capture}, signal);
}

function tail(text: string): string {
  return visibleText(text).trimEnd().split('\n').slice(-10).join('\n');
}

/** Beside the bundle in the package, in examples/ when the sources run. */
function demoFolder(): string {
  const places = ['../demo', '../../demo', '../../../../examples/demo'].map((path) => join(import.meta.dirname, path));
  const found = places.find((path) => existsSync(join(path, 'recording.json')));
  if (found !== undefined) return found;
  throw new FettleError({
    code: 'UNAVAILABLE',
    message: 'The demo project is not in this installation.',
    hint: 'Install the package again.',
  });
}

const NEXT = `
To work with a real model, name one:
  fettle --model ollama/qwen3-coder            a local model, no key
  OPENAI_API_KEY=… fettle --model openai/MODEL
  ANTHROPIC_API_KEY=… fettle --model anthropic/MODEL
\`fettle init\` writes a file in which to keep it; \`fettle doctor\` says what is missing.`;
