import {describe, expect, it} from 'vitest';
import {eventsOf, fettle, modelServer, place} from './support.ts';

const CONFIG = '[limits]\ncommand_memory_mb = 120\n';
const COMMAND = `perl -e '$a = "x" x 200_000_000; sleep 1000'`;

describe.skipIf(process.platform !== 'linux')('a command that takes too much memory (design 1, promise 5)', () => {
  it.each([
    ['bash', {command: COMMAND}],
    ['start_command', {command: COMMAND, wait_ms: 60_000}],
    ['start_command', {command: COMMAND, wait_ms: 60_000, pty: true}],
  ])('%s %j: the event says what ended it, and the run goes on', async (name, args) => {
    const server = await modelServer([{toolCalls: [{name, arguments: args}]}, {text: 'I use less.'}]);
    const finished = await fettle(await place({}, `${server.config}${CONFIG}`), [
      'exec',
      '--json',
      '--mode',
      'full-auto',
      '--sandbox',
      'off',
      'Go.',
    ]);
    const items = eventsOf(finished).flatMap(({item}) => (item === undefined ? [] : [item as Record<string, unknown>]));
    const ran = items
      .filter(({type}) => type === 'command_execution')
      .map(({command, exit_code, ended_by, status}) => ({command, exit_code, ended_by, status}));
    expect([finished.code, ran]).toEqual([0, [{command: COMMAND, exit_code: null, ended_by: 'memory', status: 'failed'}]]);
  });
});
