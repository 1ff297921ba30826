import {describe, expect, it} from 'vitest';
import {openCommandLine, runCommandLine} from '../../../../src/hosts/cli/command-line/program.ts';
import {scratch} from '../../../support/scratch.ts';
import {capturedIo} from '../captured-io.ts';

const SCRIPT = {'s.json': '{"replies": [{"text": "answered"}]}'};

async function run(argv: readonly string[], stdin = ''): Promise<{readonly stdout: string; readonly stderr: string}> {
  const folder = await scratch(SCRIPT);
  const home = await scratch({'config.toml': `model = "script:${folder}/s.json"\n`});
  const {io, stdout, stderr} = capturedIo({cwd: folder, home, env: {FETTLE_HOME: home}, readStdin: async () => stdin});
  await runCommandLine(argv, io);
  return {stdout: stdout(), stderr: stderr()};
}

describe('bare words (design 6: never paid for unless they are a prompt)', () => {
  it.each([
    [['sesions', 'list'], 'sesions', 'Did you mean `fettle sessions`? ', 'sesions list'],
    [['quux'], 'quux', '', 'quux'],
    [['help'], 'help', '', 'help'],
    [['Exec', 'fix it'], 'Exec', 'Did you mean `fettle exec`? ', "Exec 'fix it'"],
    [['--mode', 'plan', 'sesions', 'list'], 'sesions', 'Did you mean `fettle sessions`? ', 'sesions list'],
    [['--mode=plan', '-mx/y', 'tolls', '--all'], 'tolls', 'Did you mean `fettle tools`? ', 'tolls --all'],
    [['/review'], '/review', '', '/review'],
    [['fix', 'the', 'test'], 'fix', '', 'fix the test'],
    [["it's"], "it's", '', String.raw`'it'\''s'`],
  ])('%j is a usage error', async (argv, word, meant, task) => {
    await expect(run(argv)).rejects.toMatchObject({
      code: 'USAGE',
      message: `"${word}" is not a command.`,
      hint: expect.stringMatching(new RegExp(`^${escaped(meant)}.*fettle exec -- ${escaped(task)}\\.`)),
    });
  });

  it('an empty one is a usage error', async () => {
    await expect(run([''])).rejects.toMatchObject({code: 'USAGE', message: 'The prompt is empty.'});
  });

  it.each([
    [['fix it']],
    [['fix\tit', 'now']],
    [['--mode', 'plan', 'fix it']],
    [['fix it', '--mode', 'plan']],
    [['--', 'lab']],
    [['--mode', 'plan', '--', 'sessions', 'list']],
    [['exec', 'lab']],
    [['exec', '--', '--lab']],
    [['--mode', 'plan', 'exec', 'lab']],
    [['ask', 'lab', 'rats']],
    [['-']],
    [['exec', '-']],
    [[]],
  ])('%j is a prompt', async (argv) => {
    expect((await run(argv, 'from stdin')).stdout).toBe('answered\n');
  });

  it('words behind -- are operands of a command that takes some', () => {
    expect(openCommandLine(['trust', '--', '-x'], capturedIo().io).route.rest).toEqual(['--', '-x']);
  });
});

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}
