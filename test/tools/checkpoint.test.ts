import {describe, expect, it} from 'vitest';
import {createDispatcher} from '../../src/tools/dispatch/dispatcher.ts';
import {fakeOptions, fakeTool, toolCall} from './support/fake-toolset.ts';

const never = new AbortController().signal;

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
});
