import {describe, expect, it} from 'vitest';
import {comparableCall} from '../../../../src/tools/dispatch/repetition/comparable-call.ts';
import {comparableCommand} from '../../../../src/tools/dispatch/repetition/comparable-command.ts';

const key = (args: object): string => comparableCall('t', args, '/w');

describe('calls that ask for the same (issue 14 › circles: white space, path spellings)', () => {
  it.each<[object, object]>([
    [{path: 'a.txt'}, {path: './a.txt'}],
    [{path: 'src/a.txt'}, {path: 'src//a.txt'}],
    [{path: 'src/a.txt'}, {path: 'src/./x/../a.txt'}],
    [{path: 'src/a.txt'}, {path: '/w/src/a.txt'}],
    [{path: 'src'}, {path: 'src/'}],
    [{path: '.'}, {path: '/w/'}],
    [{paths: ['a', 'b']}, {paths: ['./a', '/w/b']}],
    [
      {a: 1, b: {d: 1, c: 2}},
      {b: {c: 2, d: 1}, a: 1},
    ],
    [{command: 'npm  test'}, {command: ' npm test\n'}],
    [
      {cwd: 'x', command: 'make'},
      {command: 'make ', cwd: './x/'},
    ],
  ])('%j is %j', (one, other) => {
    expect(key(other)).toBe(key(one));
  });

  it.each<[object, object]>([
    [{path: 'a.txt'}, {path: 'b.txt'}],
    [{path: 'a.txt'}, {path: '../a.txt'}],
    [{path: '/w2/a'}, {path: '/w/a'}],
    [{content: 'a  b'}, {content: 'a b'}],
    [{pattern: './a'}, {pattern: 'a'}],
    [{paths: ['a', 'b']}, {paths: ['b', 'a']}],
    [
      {command: 'make', cwd: 'x'},
      {command: 'make', cwd: 'y'},
    ],
    [
      {path: 'a', offset: 1},
      {path: 'a', offset: 2},
    ],
  ])('%j is not %j', (one, other) => {
    expect(key(other)).not.toBe(key(one));
  });
});

describe('command lines', () => {
  it.each([
    ['npm   test', 'npm test'],
    ['\tnpm test\n\n', 'npm test'],
    ['npm test # again', 'npm test'],
    ['# first\nnpm test;', 'npm test'],
    ['cd /w && npm test', 'npm test'],
    ['cd . ; npm test', 'npm test'],
    ['cd /w/pkg&&npm test', 'cd pkg && npm test'],
    ['cat ./a//b.txt', 'cat a/b.txt'],
    ['cat /w/src/a.ts', 'cat src/a.ts'],
    ['ls src/', 'ls src'],
    ['a|b||c', 'a | b || c'],
    ['a\n\n  b', 'a \n b'],
    ['/w/run.sh', './run.sh'],
    ['./run.sh', './run.sh'],
    ['make 2>&1', 'make 2>&1'],
    ['echo \'a  b\'  "c  d"', 'echo \'a  b\' "c  d"'],
    ['echo a\\  b', 'echo a\\  b'],
    ['echo a#b', 'echo a#b'],
    ['curl http://a//b', 'curl http://a//b'],
    ["it's  broken", "it ' s broken"],
    ['cat <<E\na  b\nE', 'cat <<E\na  b\nE'],
    ['', ''],
  ])('%j → %j', (line, expected) => {
    expect(comparableCommand(line, '/w')).toBe(expected);
  });

  it.each([
    ['cd /w/x && npm test', 'npm test'],
    ["echo 'a  b'", "echo 'a b'"],
    ['npm test a', 'npm test b'],
    ['run.sh', './run.sh'],
    ['sed -n 1,5p a', 'sed -n 6,10p a'],
  ])('%j is not %j', (one, other) => {
    expect(comparableCommand(one, '/w')).not.toBe(comparableCommand(other, '/w'));
  });
});
