import {readFileSync, writeFileSync} from 'node:fs';
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
