import {describe, expect, it} from 'vitest';
import type {ToolContext} from '../../../../src/tools/context.ts';
import {todoList, type TodoArgs} from '../../../../src/tools/operations/meta/todo.ts';
import {createTodoList, type Todo} from '../../../../src/tools/ports/todo-list.ts';
import type {ToolStreamEvent} from '../../../../src/tools/stream-event.ts';
import {outcomeOf} from '../../support/run-operation.ts';

const todo = (id: string, over: Partial<Todo> = {}): Todo => ({id, content: `do ${id}`, status: 'pending', priority: 'medium', ...over});

function rig(left: readonly Todo[] = []): {run(args: TodoArgs): Promise<unknown>; events: ToolStreamEvent[]} {
  const ctx = {todos: createTodoList(left)} as ToolContext;
  const events: ToolStreamEvent[] = [];
  return {events, run: (args) => outcomeOf(todoList, args, {ctx, events})};
}

describe('vibe tool system › Todo Tool', () => {
  it('reads what was written; a write replaces the whole list and is told as an item', async () => {
    const {run, events} = rig();
    const first = [todo('1'), todo('2', {status: 'in_progress', priority: 'high'})];
    expect(await run({action: 'write', todos: first})).toEqual({message: 'Updated 2 todos', todos: first});
    expect(await run({action: 'read'})).toEqual({message: 'Retrieved 2 todos', todos: first});
    expect(await run({action: 'write', todos: [todo('3', {status: 'cancelled'})]})).toEqual({
      message: 'Updated 1 todos',
      todos: [todo('3', {status: 'cancelled'})],
    });
    expect(events).toEqual([
      {type: 'item', item: {type: 'todo_list', items: first}},
      {type: 'item', item: {type: 'todo_list', items: [todo('3', {status: 'cancelled'})]}},
    ]);
  });

  it('begins with what a resumed thread left', async () => {
    expect(await rig([todo('9')]).run({action: 'read'})).toEqual({message: 'Retrieved 1 todos', todos: [todo('9')]});
  });

  it('≤ 100 items, unique ids: else nothing changes', async () => {
    const {run, events} = rig([todo('kept')]);
    const many = (count: number): Todo[] => Array.from({length: count}, (_, index) => todo(String(index)));
    expect(await run({action: 'write', todos: many(101)})).toEqual({
      code: 'BAD_ARGS',
      message: '101 items are more than the 100 that a list may have.',
      hint: 'Leave out completed items, or combine small steps.',
    });
    expect(await run({action: 'write', todos: [todo('a'), todo('b'), todo('a')]})).toEqual({
      code: 'BAD_ARGS',
      message: 'The id "a" is used twice.',
      hint: 'Give each item an id of its own.',
    });
    expect(await run({action: 'write'})).toEqual({
      code: 'BAD_ARGS',
      message: 'No list was given.',
      hint: 'Give all items in todos.',
    });
    expect(events).toEqual([]);
    expect(await run({action: 'read'})).toEqual({message: 'Retrieved 1 todos', todos: [todo('kept')]});
    expect(await run({action: 'write', todos: many(100)})).toMatchObject({message: 'Updated 100 todos'});
  });
});

describe('VT Code › task tracker: files, outcome, verify commands', () => {
  it('what a new list does not repeat of an item stays with it; an empty list of commands takes them away', async () => {
    const {run} = rig([todo('1', {content: 'build', files: ['src/a.ts'], outcome: 'it builds', verify: ['npm run build']})]);
    expect(await run({action: 'write', todos: [todo('0', {content: 'look'}), todo('2', {content: 'build', status: 'completed'})]})).toEqual(
      {
        message: 'Updated 2 todos',
        todos: [
          todo('0', {content: 'look'}),
          todo('2', {content: 'build', status: 'completed', files: ['src/a.ts'], outcome: 'it builds', verify: ['npm run build']}),
        ],
      },
    );
    expect(await run({action: 'write', todos: [todo('2', {content: 'build', verify: []})]})).toEqual({
      message: 'Updated 1 todos',
      todos: [todo('2', {content: 'build', files: ['src/a.ts'], outcome: 'it builds', verify: []})],
    });
  });

  it('a pinned item cannot be left out, cancelled, reworded or robbed of its commands: evaluator findings stay (VT Code lost them)', async () => {
    const pinned = todo('find-1', {content: 'Fix the leak', verify: ['npm test'], pinned: true});
    const {run} = rig([pinned, todo('b')]);
    expect(await run({action: 'write', todos: [todo('c')]})).toEqual({message: 'Updated 2 todos', todos: [todo('c'), pinned]});
    const cheat = todo('find-1', {content: 'Look at the leak', status: 'cancelled', verify: ['true']});
    expect(await run({action: 'write', todos: [cheat]})).toEqual({
      message: 'Updated 1 todos',
      todos: [{...pinned, status: 'blocked'}],
    });
    expect(await run({action: 'write', todos: [todo('find-1', {status: 'completed'})]})).toEqual({
      message: 'Updated 1 todos',
      todos: [{...pinned, status: 'completed'}],
    });
  });

  it('at most 20 commands an item, none beyond 2,000 characters', async () => {
    const {run} = rig();
    expect(await run({action: 'write', todos: [todo('a', {verify: Array.from({length: 21}, () => 'true')})]})).toEqual({
      code: 'BAD_ARGS',
      message: 'The todo "a" has more than the 20 files or commands of an item.',
      hint: 'Split it into several items.',
    });
    expect(await run({action: 'write', todos: [todo('a', {verify: ['x'.repeat(2001)]})]})).toMatchObject({code: 'BAD_ARGS'});
  });
});
