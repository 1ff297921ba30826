import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {statusCommand} from '../../../../src/hosts/tui/fettle/status-command.ts';
import {scratch} from '../../../support/scratch.ts';

async function read(line: string): Promise<string | undefined> {
  const root = await scratch({'home/word': 'from home\n', 'project/word': 'from the project\n'});
  const at = {home: join(root, 'home'), folder: '/p', spoolDir: join(root, 'spool'), env: process.env};
  const info = {
    model: 'a/b',
    modelReason: 'best',
    toolReasons: ['toolset a: best'],
    mode: 'ask',
    contextTokens: 5,
    costUsd: 0.25,
    sessionId: 's1',
  };
  return await statusCommand({line, ...at})(info, new AbortController().signal);
}

describe("the person's own command for the status line", () => {
  it.each([
    ['the first line', 'printf "one\\ntwo\\n"', 'one'],
    ['nothing', 'true', undefined],
    ['it starts in the home folder', 'cat word', 'from home'],
    ['escape sequences are left out', String.raw`printf '\033]0;title\007\033[31mred\tone\033[0m'`, 'red one'],
    ['turned text is spelled out', String.raw`printf 'a\342\200\256b'`, String.raw`a\u202eb`],
    ['a long line is cut', 'printf "%0500d" 0', '0'.repeat(200)],
    ['endless output is cut', 'yes | tr -d "\\n"', 'status_command: no answer within 1 s'],
    ['a failure is told', 'exit 3', 'status_command: exit 3'],
    ['a program that does not exist', 'no-such-program', 'status_command: exit 127'],
    ['no answer', 'sleep 60', 'status_command: no answer within 1 s'],
    [
      'it reads the session',
      'cat',
      '{"model":"a/b","model_reason":"best","tool_reasons":["toolset a: best"],"mode":"ask","folder":"/p","context_tokens":5,"cost_usd":0.25,"session_id":"s1"}',
    ],
  ])('%s', async (_, line, wanted) => {
    expect(await read(line)).toBe(wanted);
  });

  it('is ended with the screen', async () => {
    const root = await scratch({x: ''});
    const stop = new AbortController();
    const reading = statusCommand({line: 'sleep 60', home: root, folder: root, spoolDir: root, env: process.env})({}, stop.signal);
    stop.abort();
    expect(await reading).toBeUndefined();
  });
});
