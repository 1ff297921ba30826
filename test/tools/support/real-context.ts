import {createExecEnvironment} from '../../../src/exec/create-environment.ts';
import {createSearchEngine} from '../../../src/search/create-engine.ts';
import type {ToolContext} from '../../../src/tools/context.ts';
import {createFileMemory} from '../../../src/tools/file-memory.ts';
import type {Operation} from '../../../src/tools/operation.ts';
import {createTodoList} from '../../../src/tools/ports/todo-list.ts';
import {openWorkspace} from '../../../src/workspace/open-workspace.ts';
import {scratch} from '../../support/scratch.ts';
import {outcomeOf} from './run-operation.ts';

export interface RealWorkspace {
  readonly root: string;
  readonly ctx: ToolContext;
  /** The result of an operation, or code, message and hint of its error. */
  outcome<Args, Result>(operation: Operation<Args, Result>, args: Args): Promise<unknown>;
}

/** Operations on a real folder, without a dispatcher. */
export async function realWorkspace(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<RealWorkspace> {
  const root = await scratch(files);
  const ctx: ToolContext = {
    callId: 'call_1',
    signal: new AbortController().signal,
    workspace: await openWorkspace(root),
    search: createSearchEngine(),
    exec: createExecEnvironment({cwd: root, spoolDir: root, env: {}}),
    files: createFileMemory(),
    todos: createTodoList([]),
    spoolDir: root,
  };
  return {root, ctx, outcome: (operation, args) => outcomeOf(operation, args, {ctx})};
}
