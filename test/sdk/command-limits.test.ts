import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {loadSettings} from '../../src/sdk/settings/load-settings.ts';
import {openTools} from '../../src/sdk/tools/open-tools.ts';
import {createDispatcher} from '../../src/tools/dispatch/dispatcher.ts';
import {scratch} from '../support/scratch.ts';

const CONFIG = '[limits]\ncommand_memory_mb = 120\ncommand_disk_mb = 100\n';
/** 200 MB at once. */
const MEMORY = `perl -e '$a = "x" x 200_000_000; sleep 1000'`;
const DISK = 'head -c 300000000 /dev/zero > big; sleep 1000';
const ENDED = 'it used N of memory, and 120 MB is the limit (limits.command_memory_mb)';
const KILLED = `none (ended: ${ENDED}; everything it started was killed)`;

/** What the model sees of one call, without what differs from run to run. */
async function call(toolset: string, name: string, args: object): Promise<string> {
  const root = await scratch({'home/config.toml': CONFIG, 'work/a.txt': ''});
  const home = join(root, 'home');
  const env = {PATH: process.env['PATH'] ?? '', FETTLE_HOME: home};
  const session = await loadSettings({cwd: join(root, 'work'), env, home, flags: {'--toolset': toolset, '--sandbox': 'off'}});
  const opened = await openTools({session, spoolDir: join(session.paths.stateDir, 'spool')});
  const dispatcher = createDispatcher({...opened.dispatcher, approve: async () => ({decision: 'allow'})});
  const {text, isError} = await dispatcher.dispatch({id: 'c', name, arguments: JSON.stringify(args)}, new AbortController().signal);
  await opened.endJobs();
  const plain = text.replaceAll(/(used|took) \d[\d.]* [GM]B/g, '$1 N').replaceAll(/after [\d.]+ s/g, 'after N s');
  return `${isError ? 'error' : 'ok'}: ${plain.trim()}`;
}

describe.skipIf(process.platform !== 'linux')('[limits] of commands: the model is told which limit ended it', () => {
  it.each([
    ['fettle', 'bash', {command: MEMORY}, `error: [exit code ${KILLED}]`],
    [
      'fettle',
      'bash',
      {command: `echo before; ${DISK}`},
      'error: before\n[exit code none (ended: it took N of free disk space, and 100 MB is the limit (limits.command_disk_mb); everything it started was killed)]',
    ],
    ['fettle', 'start_command', {command: MEMORY, wait_ms: 60_000}, `error: [session s1 ended after N s; exit code ${KILLED}]`],
    [
      'fettle',
      'start_command',
      {command: MEMORY, pty: true, wait_ms: 60_000},
      `error: [ended: ${ENDED}]\n[session t1 ended after N s; exit code ${KILLED}]`,
    ],
    ['microcode', 'bash', {command: MEMORY}, `error: exit code: ${KILLED}`],
    [
      'vibe',
      'bash',
      {command: MEMORY},
      `error: <tool_error>bash failed: Command was ended: ${ENDED}: '${MEMORY}'\nStderr: \nStdout: </tool_error>`,
    ],
    ['vtcode', 'exec_command', {command: MEMORY}, `error: [exit code ${KILLED}]`],
    [
      'blade',
      'run_command',
      {command: MEMORY},
      `error: tool_error: Command failed with exit code ${KILLED}\nexit_code: ${KILLED}\nstdout:\nstderr:`,
    ],
  ])('%s: %s %j', async (toolset, name, args, expected) => {
    expect(await call(toolset, name, args)).toBe(expected);
  });
});
