import {describe, expect, it} from 'vitest';
import {createProgress} from '../../../../src/hosts/cli/output/progress.ts';
import type {ThreadEvent} from '../../../../src/protocol/events.ts';
import type {ThreadItem} from '../../../../src/protocol/items.ts';

function shown(...events: ThreadEvent[]): string[] {
  const lines: string[] = [];
  const show = createProgress({
    data: () => undefined,
    shown: () => undefined,
    progress: () => undefined,
    status: () => false,
    note: (line) => void lines.push(line),
    paint: (style, text) => `${style}:${text}`,
  });
  events.forEach((event) => show(event));
  return lines;
}

const done = (item: ThreadItem): ThreadEvent => ({type: 'item.completed', turn_id: 't', item});
const output = (stream: 'stdout' | 'progress'): ThreadEvent => ({
  type: 'item.updated',
  turn_id: 't',
  item_id: 'i',
  item_type: 'tool_invocation',
  delta: 'grep: 3 matches\n',
  stream,
});

describe('createProgress', () => {
  it('a task list: how far it is, without what was given up, and what is being done', () => {
    const todo = (id: string, status: 'pending' | 'in_progress' | 'completed' | 'cancelled') =>
      ({id, content: `step ${id}`, status, priority: 'medium'}) as const;
    const items = [todo('1', 'completed'), todo('2', 'in_progress'), todo('3', 'pending'), todo('4', 'cancelled')];
    expect(shown(done({id: 'i', type: 'todo_list', items}), done({id: 'i', type: 'todo_list', items: []}))).toEqual([
      'cyan:  todo 1/3 · step 2',
      'cyan:  todo 0/0',
    ]);
  });

  it('an action in the editor, with its place', () => {
    const action = {id: 'i', type: 'editor_action'} as const;
    expect(
      shown(
        done({...action, action: 'open_file', path: 'src/a.ts', line: 3}),
        done({...action, action: 'goto_line', line: 7, column: 2}),
        done({...action, action: 'insert_at_cursor', path: 'src/a.ts', content: 'secret'}),
        done({...action, action: 'get_selection', selection: 'text'}),
      ),
    ).toEqual([
      'dim:  editor: open file src/a.ts:3',
      'dim:  editor: goto line 7:2',
      'dim:  editor: insert at cursor src/a.ts',
      'dim:  editor: get selection',
    ]);
  });

  it('the steps of a subagent, and not the output of a command', () => {
    expect(shown(output('progress'), output('stdout'))).toEqual(['dim:  grep: 3 matches']);
  });
});
