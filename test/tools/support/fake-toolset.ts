import * as z from 'zod/mini';
import {plainOperation} from '../../../src/tools/operation.ts';
import type {SideEffect} from '../../../src/protocol/side-effect.ts';
import type {DispatcherOptions, ToolCall} from '../../../src/tools/dispatch/dispatch.ts';
import type {ToolContext} from '../../../src/tools/context.ts';
import {defineTool, type Tool, type Toolset} from '../../../src/tools/toolset.ts';
import {createFileMemory} from '../../../src/tools/file-memory.ts';
import {createTodoList} from '../../../src/tools/ports/todo-list.ts';

/** A tool whose behaviour a test decides: `run` gets the value and returns the text. */
export function fakeTool(name: string, sideEffect: SideEffect, run: (value: string, ctx: ToolContext) => string | Promise<string>): Tool {
  const operation = plainOperation<{value: string}, {text: string}>({
    id: `test.${name}`,
    permission: name,
    args: z.object({value: z.string()}),
    result: z.object({text: z.string()}),
    sideEffect,
    subjects: async ({value}) => {
      if (sideEffect === 'execute') return [{kind: 'command', command: value, cwd: '/w'}];
      return [{kind: 'path', path: `/w/${value}`, relative: value, inside: true, write: sideEffect === 'write'}];
    },
    serialKey: ({value}) => value,
    async *run({value}, ctx) {
      yield {type: 'output', stream: 'stdout', text: `running ${value}`};
      return {text: await run(value, ctx)};
    },
  });
  return defineTool({
    name,
    description: name,
    input: z.object({value: z.string()}),
    operation,
    toArgs: ({value}) => ({value}),
    render: ({text}, {value}) => ({
      text,
      summary: `did ${name}`,
      changes: sideEffect === 'write' ? [{path: `/w/${value}`, kind: 'update'}] : [],
    }),
  });
}

export function fakeToolset(tools: readonly Tool[]): Toolset {
  return {
    name: 'fake',
    tools,
    renderError: ({code, message, hint}) => [`${code}: ${message}`, ...(hint === undefined ? [] : [hint])].join('\n'),
    outputBound: {maxBytes: 1000, maxLines: 50},
    asksForReads: true,
  };
}

/** Options of a dispatcher whose tools touch nothing: the context is empty. */
export function fakeOptions(tools: readonly Tool[], options: Partial<DispatcherOptions> = {}): DispatcherOptions {
  return {
    toolset: fakeToolset(tools),
    context: {files: createFileMemory(), todos: createTodoList(), workspace: {root: '/w'}} as DispatcherOptions['context'],
    policy: () => ({mode: 'full-auto', rules: [], fallback: 'allow'}),
    approve: async () => ({decision: 'allow'}),
    spoolDir: '/nowhere/spool',
    ...options,
  };
}

let calls = 0;

export function toolCall(name: string, value: string): ToolCall {
  calls += 1;
  return {id: `call_${calls}`, name, arguments: JSON.stringify({value})};
}
