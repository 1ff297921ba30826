import {describe, expect, it} from 'vitest';
import type {DispatcherOptions} from '../../src/tools/dispatch/dispatch.ts';
import {createDispatcher} from '../../src/tools/dispatch/dispatcher.ts';
import {fettle} from '../../src/tools/toolsets/fettle/fettle.ts';
import {fakeOptions, fakeTool, toolCall} from './support/fake-toolset.ts';

const never = new AbortController().signal;

const NO_OUTPUT = {head: '', tail: '', totalBytes: 0, totalLines: 0, truncated: false, spillPath: undefined};

describe('a checkpoint around a call', () => {
  it('begins before it and is finished after it, also when it failed; not for reads', async () => {
    const told: string[] = [];
    const tools = [
      fakeTool('look', 'read', () => 'seen'),
      fakeTool('put', 'write', (value) => {
        told.push(`put ${value}`);
        return 'done';
      }),
      fakeTool('run', 'execute', () => {
        told.push('run');
        throw new Error('broken');
      }),
    ];
    const checkpoint = async ({toolName}: {toolName: string}): Promise<() => Promise<void>> => {
      told.push(`before ${toolName}`);
      return async () => void told.push(`after ${toolName}`);
    };
    const {dispatchAll} = createDispatcher(fakeOptions(tools, {checkpoint}));
    await dispatchAll([toolCall('look', 'a'), toolCall('put', 'a'), toolCall('run', 'a')], never);
    expect(told).toEqual(['before put', 'put a', 'after put', 'before run', 'run', 'after run']);
  });

  it.each([
    ['a line that changes no file', {line: 'cat a.txt', path: '/usr/bin:/bin'}, true],
    ['a line that may change one', {line: 'touch a.txt', path: '/usr/bin:/bin'}, false],
    ['a line whose programs may lie in the workspace', {line: 'cat a.txt', path: '/w/node_modules/.bin:/usr/bin'}, false],
    ['a line whose programs may lie anywhere', {line: 'cat a.txt', path: undefined}, false],
  ])('is told of %s', async (_, {line, path}, changesNothing) => {
    const told: boolean[] = [];
    const ended = {exitCode: 0, signal: null, timedOut: false, cancelled: false, durationMs: 0, stdout: NO_OUTPUT, stderr: NO_OUTPUT};
    const options = fakeOptions(fettle.tools, {
      checkpoint: async (call) => {
        told.push(call.changesNothing);
        return undefined;
      },
    });
    const exec = {cwd: '/w', path, run: async () => ended};
    const {dispatch} = createDispatcher({...options, context: {...options.context, exec} as unknown as DispatcherOptions['context']});
    await dispatch({id: 'call_1', name: 'bash', arguments: JSON.stringify({command: line})}, never);
    expect(told).toEqual([changesNothing]);
  });

  it('is told nothing of what a tool of somebody runs, though it names such a line', async () => {
    const told: boolean[] = [];
    const tools = [fakeTool('bash', 'execute', () => 'done')];
    const checkpoint = async (call: {changesNothing: boolean}): Promise<undefined> => void told.push(call.changesNothing);
    const options = fakeOptions(tools, {checkpoint});
    const exec = {cwd: '/w', path: '/usr/bin'};
    const {dispatch} = createDispatcher({...options, context: {...options.context, exec} as unknown as DispatcherOptions['context']});
    await dispatch(toolCall('bash', 'cat a.txt'), never);
    expect(told).toEqual([false]);
  });
});
