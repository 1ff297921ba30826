import {describe, expect, it} from 'vitest';
import {commandLines} from '../../../src/agent/guards/command-lines.ts';

describe('commands that ask for a range of lines (issue 14 › circles)', () => {
  it.each<[string, string, number]>([
    ["sed -n '10,12p' src/a.ts", 'src/a.ts', 10],
    ['sed -n "10,12p" ./src//a.ts', 'src/a.ts', 10],
    ['sed  -n 10,12p src/a.ts', 'src/a.ts', 10],
    ["sed -n -e '10,$p' src/a.ts", 'src/a.ts', 10],
    ["sed -n '10,12p;12q' src/a.ts", 'src/a.ts', 10],
    ["sed -n '10p' src/a.ts", 'src/a.ts', 10],
    ["sed -n '10,12p' 'a b.ts'", 'a b.ts', 10],
    ["sed -n '10,12p' src/a.ts 2>/dev/null", 'src/a.ts', 10],
    ["nl -ba src/a.ts | sed -n '10,12p'", 'nl -ba src/a.ts', 10],
    ["cat -n src/a.ts | sed -n '10,12p'", 'cat -n src/a.ts', 10],
    ['head -n 3 src/a.ts', 'src/a.ts', 1],
    ['head -3 src/a.ts', 'src/a.ts', 1],
    ['head -n3 src/a.ts', 'src/a.ts', 1],
    ['head --lines=3 src/a.ts', 'src/a.ts', 1],
    ['head -n 12 src/a.ts | tail -n 3', 'src/a.ts', 10],
    ['head -12 src/a.ts|tail -3', 'src/a.ts', 10],
    ['head -n 12 src/a.ts | tail -n 30', 'src/a.ts', 1],
    ['tail -n +10 src/a.ts | head -n 3', 'src/a.ts', 10],
    ['tail -n +10 src/a.ts | head -3', 'src/a.ts', 10],
  ])('%s', (command, path, firstLine) => {
    expect(commandLines(command, 'x\n\ny\n')).toEqual({path, firstLine, lines: ['x', '', 'y']});
  });

  it('a range beyond the end has no lines', () => {
    expect(commandLines("sed -n '900,910p' a", '')).toEqual({path: 'a', firstLine: 900, lines: []});
  });

  it.each([
    'cat src/a.ts',
    'tail -n 3 src/a.ts',
    'tail -f src/a.ts',
    'head -c 30 src/a.ts',
    'head -n 3 a b',
    'head -n 3 *.ts',
    'head -n 3 $FILE',
    'head -n 3 -q',
    "sed '10,12p' src/a.ts",
    "sed -n '/x/p' src/a.ts",
    "sed -n '10,12p;20,22p' src/a.ts",
    "sed -n '10,12p' a > b",
    "sed -n '10,12p' a | grep x",
    "sed -ni '10,12p' a",
    "cd sub && sed -n '10,12p' a",
    "sed -n '10,12p' a; rm a",
    'sleep 5; head -n 1 status',
    'head -n -3 a',
    '',
  ])('is no such command: %s', (command) => {
    expect(commandLines(command, 'x\n')).toBeUndefined();
  });
});
