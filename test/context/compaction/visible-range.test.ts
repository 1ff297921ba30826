import {describe, expect, it} from 'vitest';
import {covers, visibleRange} from '../../../src/context/compaction/visible-range.ts';

const range = (name: string, args: object): unknown => visibleRange({type: 'tool_call', id: 'c', name, arguments: JSON.stringify(args)});
const all = {from: 1, to: Infinity};

describe('which lines of a file a call shows', () => {
  it.each([
    ['read', {path: './src/a.ts'}, {path: 'src/a.ts', ...all}],
    ['read', {path: 'a', offset: 5, limit: 2}, {path: 'a', from: 5, to: 6}],
    ['read_file', {file_path: 'a', offset: 0}, {path: 'a', ...all}],
    ['read_file_range', {path: 'a', start_line: 3, end_line: 9}, {path: 'a', from: 3, to: 9}],
    ['bash', {command: 'cat a/b.txt'}, {path: 'a/b.txt', ...all}],
    ['bash', {command: 'cat -n b.txt'}, {path: 'b.txt', ...all}],
    ['bash', {command: "sed -n '2,7p' b.txt"}, {path: 'b.txt', from: 2, to: 7}],
    ['bash', {command: 'sed -n 2p b.txt'}, {path: 'b.txt', from: 2, to: 2}],
    ['bash', {command: "sed -n '2,$p' b.txt"}, {path: 'b.txt', from: 2, to: Infinity}],
    ['run_command', {CommandLine: 'head -n 20 b.txt'}, {path: 'b.txt', from: 1, to: 20}],
    ['bash', {command: 'cat a.txt | grep x'}, undefined],
    ['bash', {command: 'cat a.txt b.txt'}, undefined],
    ['bash', {command: 'cat $F'}, undefined],
    ['bash', {command: "sed -n 's/a/b/p' a"}, undefined],
    ['grep', {path: 'a', pattern: 'x'}, undefined],
    ['read_many_files', {paths: ['a']}, undefined],
    ['read', {}, undefined],
  ])('%s %j', (name, args, expected) => {
    expect(range(name, args)).toEqual(expected);
  });

  it('is unknown where the arguments are not JSON object', () => {
    expect(visibleRange({type: 'tool_call', id: 'c', name: 'read', arguments: '{"path":'})).toBeUndefined();
  });

  it('one range covers another of the same file only', () => {
    const whole = {path: 'a', ...all};
    expect([
      covers(whole, {path: 'a', from: 5, to: 6}),
      covers({path: 'a', from: 5, to: 6}, whole),
      covers(whole, {path: 'b', from: 5, to: 6}),
      covers({path: 'a', from: 5, to: 6}, {path: 'a', from: 5, to: 6}),
    ]).toEqual([true, false, false, true]);
  });
});
