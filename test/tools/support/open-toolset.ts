import {join} from 'node:path';
import {createExecEnvironment} from '../../../src/exec/create-environment.ts';
import type {Policy} from '../../../src/policy/decision.ts';
import {createSearchEngine} from '../../../src/search/create-engine.ts';
import type {Dispatcher, DispatcherOptions, DispatchResult} from '../../../src/tools/dispatch/dispatch.ts';
import {createDispatcher} from '../../../src/tools/dispatch/dispatcher.ts';
import {createFileMemory} from '../../../src/tools/file-memory.ts';
import {createMemoryEditor} from '../../../src/tools/ports/memory-editor.ts';
import {createTodoList} from '../../../src/tools/ports/todo-list.ts';
import {loadToolsetByName} from '../../../src/tools/toolsets/load-toolset.ts';
import {openWorkspace} from '../../../src/workspace/open-workspace.ts';

export interface OpenedToolset {
  readonly dispatcher: Dispatcher;
  /** One call, arguments as an object or as the text of a model. */
  call(name: string, args: object | string, signal?: AbortSignal): Promise<DispatchResult>;
  /** Only what the model sees. */
  text(name: string, args: object | string): Promise<string>;
}

export type ToolsetOptions = Partial<Omit<DispatcherOptions, 'context'>> & {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly context?: Partial<DispatcherOptions['context']>;
};

export const ALLOW_ALL: Policy = {mode: 'full-auto', rules: [], fallback: 'allow'};

/** A toolset on a real folder, with real files, searches and commands; every question is answered with yes. */
export async function openToolset(name: string, root: string, options: ToolsetOptions = {}): Promise<OpenedToolset> {
  const {env, context, ...rest} = options;
  const spoolDir = options.spoolDir ?? (await scratchSpool());
  const dispatcher = createDispatcher({
    toolset: await loadToolsetByName(name),
    policy: () => ALLOW_ALL,
    approve: async () => ({decision: 'allow'}),
    spoolDir,
    context: {...(await realContext(root, {spoolDir, env})), ...context},
    ...rest,
  });
  let calls = 0;
  const call: OpenedToolset['call'] = (tool, args, signal = new AbortController().signal) => {
    calls += 1;
    const text = typeof args === 'string' ? args : JSON.stringify(args);
    return dispatcher.dispatch({id: `call_${calls}`, name: tool, arguments: text}, signal);
  };
  return {dispatcher, call, text: async (tool, args) => (await call(tool, args)).text};
}

/** The context of a thread without a person and without a model. */
export async function realContext(
  root: string,
  {spoolDir = join(root, '.spool'), env = process.env}: {spoolDir?: string; env?: ToolsetOptions['env']} = {},
): Promise<DispatcherOptions['context']> {
  const [workspace, files] = [await openWorkspace(root), createFileMemory()];
  const exec = createExecEnvironment({cwd: root, spoolDir, env});
  return {workspace, files, exec, search: createSearchEngine(), todos: createTodoList(), editor: createMemoryEditor({workspace, files})};
}

/** Loaded here, so that a process that is no test can name a folder of its own. */
async function scratchSpool(): Promise<string> {
  const {scratch} = await import('../../support/scratch.ts');
  return join(await scratch(), 'spool');
}
