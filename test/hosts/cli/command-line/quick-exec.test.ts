import {Command} from 'commander';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {addOptions} from '../../../../src/hosts/cli/command-line/add-options.ts';
import {EXEC_OPTIONS} from '../../../../src/hosts/cli/command-line/option-facts.ts';
import {readExecLine} from '../../../../src/hosts/cli/command-line/quick-exec.ts';

describe('the short way to exec', () => {
  it('reads options and words', () => {
    const argv = ['exec', '--model', 'a/b', '-C', '/x', '--mode', 'plan', '--verify', 'a', '--verify', 'b', '--last', 'fix', 'it'];
    expect(readExecLine(argv)).toEqual({
      words: ['fix', 'it'],
      options: {model: 'a/b', cwd: '/x', mode: 'plan', verify: ['a', 'b'], last: true},
    });
  });

  it.each([
    ['another command', ['ask', 'x']],
    ['an option in front of the command', ['--json', 'exec', 'x']],
    ['an option that is not known', ['exec', '--jsno', 'x']],
    ['help', ['exec', '--help']],
    ['a missing value', ['exec', 'x', '--model']],
    ['a value that looks like an option', ['exec', '--model', '--json', 'x']],
    ['a value that is none of the choices', ['exec', '--mode', 'yolo', 'x']],
    ['a value in the same token', ['exec', '--mode=plan', 'x']],
    ['an option that was said before', ['exec', '--mode', 'plan', '--mode', 'ask', 'x']],
    ['two options that exclude each other', ['exec', '--resume', 'thr', '--last']],
    ['--no-sandbox, which makes one value with --sandbox', ['exec', '--no-sandbox', 'x']],
    ['--resume without an id', ['exec', '--resume']],
    ['words behind --', ['exec', '--', 'x']],
    ['stdin', ['exec', '-']],
  ])('leaves %s to the parser of every command', (_, argv) => {
    expect(readExecLine(argv)).toBeUndefined();
  });

  it('reads what it reads as that parser does', () => {
    const flags = EXEC_OPTIONS.flatMap(({flags: text}) => text.split(/[ ,]+/).filter((part) => part.startsWith('-')));
    const values = ['plan', 'off', 'open-responses', 'a/b', '', 'exec', 'two words', '7', '-', '--', '-x', '--json=1', '--model=a/b'];
    let read = 0;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...flags, ...values, ...values), {maxLength: 7}), (argv) => {
        const quick = readExecLine(['exec', ...argv]);
        if (quick === undefined) return;
        read += 1;
        expect(quick).toEqual(parsed(argv));
      }),
      {numRuns: 3000, seed: 1},
    );
    expect(read).toBeGreaterThan(300);
  });
});

function parsed(argv: readonly string[]): unknown {
  const command = addOptions(
    new Command('exec')
      .argument('[prompt...]')
      .exitOverride()
      .configureOutput({writeErr: () => undefined}),
    EXEC_OPTIONS,
  );
  command.parse([...argv], {from: 'user'});
  return {words: command.args, options: command.opts()};
}
