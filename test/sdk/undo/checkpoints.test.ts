import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import {loadSettings} from '../../../src/sdk/settings/load-settings.ts';
import {openThread} from '../../../src/sdk/thread/open-thread.ts';
import {undoOrRedo} from '../../../src/hosts/cli/chat/undo-or-redo.ts';
import {scratch} from '../../support/scratch.ts';

const never = new AbortController().signal;
const edit = (from: string, to: string): object => ({
  toolCalls: [{name: 'edit', arguments: {path: 'a.txt', old_string: from, new_string: to}}],
});

describe('undo and redo in a chat', () => {
  it('take back files and conversation, turn by turn, and bring them back', async () => {
    const root = await scratch({'a.txt': 'one\n'});
    const replies = [edit('one', 'two'), {text: 'Did it.'}, edit('two', 'three'), {text: 'Did it again.'}];
    const home = await scratch({'script.json': JSON.stringify({replies})});
    const flags = {'--model': `script:${join(home, 'script.json')}`, '--mode': 'accept-edits'};
    const session = await loadSettings({cwd: root, env: {FETTLE_HOME: home, HOME: home}, home, flags});
    const events: ThreadEvent[] = [];
    const thread = await openThread({session, onEvent: (event) => void events.push(event)}, never);
    await thread.run('first task', never);
    await thread.run('second task', never);
    const seen: string[] = [];
    const say = async (id: 'undo' | 'redo'): Promise<void> => {
      const lines: string[] = [];
      const output = {
        note: (line: string) => void lines.push(line),
        data: () => undefined,
        shown: () => undefined,
        progress: () => undefined,
        status: () => false,
      };
      await undoOrRedo({...output, paint: (_, text) => text}, thread, id);
      seen.push(`${id}: ${readFileSync(join(root, 'a.txt'), 'utf8').trim()} | ${lines[0] ?? ''}`);
    };
    await say('undo');
    await say('undo');
    await say('undo');
    await say('redo');
    await say('redo');
    await say('redo');
    writeFileSync(join(root, 'a.txt'), 'mine\n');
    await say('undo');
    await thread.close();
    expect(seen).toEqual([
      'undo: two | Restored 1 entry to before "second task".',
      'undo: one | Restored 1 entry to before "first task".',
      'undo: one | Nothing to undo. `fettle checkpoints list` shows the checkpoints.',
      'redo: two | Restored 1 entry to before "undo: first task".',
      'redo: three | Restored 1 entry to before "undo: second task".',
      'redo: three | Nothing to redo. `fettle checkpoints list` shows the checkpoints.',
      'undo: mine | Restored 0 entries to before "second task".',
    ]);
    const turns = events.flatMap((event) => (event.type === 'turn.started' ? [event.turn_id] : []));
    const kept = events.flatMap((event) => (event.type === 'checkpoint.completed' ? [[event.turn_id, event.changed, event.notes]] : []));
    expect(kept).toEqual(turns.map((turn) => [turn, 1, []]));
    const rewound = events.filter((event) => event.type === 'thread.rewound');
    // The last one brought nothing back: the conversation stayed with its files.
    expect(rewound.map(({to}) => to)).toEqual([turns[1], turns[0], rewound[1]?.checkpoint_id, rewound[0]?.checkpoint_id]);
  });
});

const command = (line: string): object => ({toolCalls: [{name: 'bash', arguments: {command: line}}]});

describe('the look at the tree around a command', () => {
  /** Whether there was one, and how many changes each turn has noted. */
  async function kept(...turns: readonly (readonly object[])[]): Promise<unknown[]> {
    const root = await scratch({'a.txt': 'one\n'});
    const home = await scratch({'script.json': JSON.stringify({replies: turns.flatMap((calls) => [...calls, {text: 'Done.'}])})});
    const flags = {'--model': `script:${join(home, 'script.json')}`, '--mode': 'full-auto', '--sandbox': 'off'};
    const session = await loadSettings({cwd: root, env: {PATH: process.env['PATH'], FETTLE_HOME: home, HOME: home}, home, flags});
    const changed: number[] = [];
    const onEvent = (event: ThreadEvent): void => {
      if (event.type === 'checkpoint.completed') changed.push(event.changed);
    };
    const thread = await openThread({session, onEvent}, never);
    for (const _ of turns) await thread.run('task', never);
    await thread.close();
    return [existsSync(join(home, 'state', 'checkpoints')), ...changed];
  }

  it('is spared for a line that changes no file', async () => {
    expect(await kept([command('cat a.txt'), command('ls | wc -l')])).toEqual([false]);
  });

  it('is taken for one that may, also behind one that does not', async () => {
    expect(await kept([command('cat a.txt'), command('echo two > a.txt'), command('cat a.txt')])).toEqual([true, 1]);
  });

  it.skipIf(process.platform === 'win32')('is taken for any while a command that was started before still runs', async () => {
    const line = 'echo go > p1; echo two > a.txt; echo done > p2; exec sleep 1000';
    const start = {toolCalls: [{name: 'start_command', arguments: {command: line, wait_ms: 0}}]};
    const [pipes, reads] = [command('mkfifo p1 p2'), command('cat p1 p2')];
    expect(await kept([pipes, start, reads])).toEqual([true, 3]);
    expect(await kept([pipes, start], [reads])).toEqual([true, 2, 1]);
  });
});
