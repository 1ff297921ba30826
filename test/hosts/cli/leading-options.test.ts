import type {Command, Option} from 'commander';
import {describe, expect, it} from 'vitest';
import {isFettleError} from '../../../src/base/errors.ts';
import {leavesOf} from '../../../src/hosts/cli/command-line/command-tree.ts';
import {openCommandLine, runCommandLine} from '../../../src/hosts/cli/command-line/program.ts';
import {routedTokens} from '../../../src/hosts/cli/command-line/route.ts';
import {scratch} from '../../support/scratch.ts';
import {capturedIo} from './captured-io.ts';

const {program: known} = openCommandLine([], capturedIo().io);
const leaves = leavesOf(known).map((leaf) => ({name: pathOf(leaf).join(' '), leaf}));
const options = known.options.filter((option) => option.name() !== 'version');
const groups = known.commands.filter((command) => command.commands.length > 0).map((command) => command.name());

describe('options in front of a sub-command (design 6: options hold before and behind a sub-command)', () => {
  it('knows every command and option', () => {
    expect([leaves.length >= 40, options.length >= 17, groups.length >= 9]).toEqual([true, true, true]);
  });

  it.each(leaves)('fettle $name: each one holds as behind it, or is refused by its name', async ({name, leaf}) => {
    for (const option of options) {
      const typed = tokensOf(option);
      const own = leaf.options.find(({long}) => long === option.long);
      const front = await parsed([...typed, ...pathOf(leaf), ...operandsOf(leaf)]);
      const where = `${typed.join(' ')} ${name}`;
      if (own === undefined) expect(front, where).toEqual(`fettle ${name} does not take ${option.long}.`);
      else if (own.required !== option.required) expect(front, where).toContain(`${option.long} before fettle ${name}`);
      else expect(front, where).toEqual(await parsed([...pathOf(leaf), ...typed, ...operandsOf(leaf)]));
    }
  });

  it.each(leaves)('fettle $name: each one holds between its names and joined with its value, too', async ({leaf}) => {
    const [first = '', ...rest] = pathOf(leaf);
    for (const option of options.filter(({long, required}) => leaf.options.some((own) => own.long === long && own.required === required))) {
      const [flag = '', ...value] = tokensOf(option);
      const behind = await parsed([first, ...rest, flag, ...value, ...operandsOf(leaf)]);
      if (rest.length > 0) expect(await parsed([first, flag, ...value, ...rest, ...operandsOf(leaf)]), flag).toEqual(behind);
      if (value.length === 0) continue;
      expect(await parsed([`${flag}=${value[0]}`, first, ...rest, ...operandsOf(leaf)]), flag).toEqual(behind);
      if (option.short) expect(await parsed([`${option.short}${value[0]}`, first, ...rest, ...operandsOf(leaf)]), flag).toEqual(behind);
    }
  });

  it.each(leaves)('fettle $name: values that are refused behind it are refused in front of it', async ({leaf}) => {
    for (const {long, argChoices} of options) {
      if (argChoices !== undefined)
        expect(await parsed([long ?? '', 'bogus', ...pathOf(leaf), ...operandsOf(leaf)]), long).toEqual(expect.any(String));
    }
  });

  it.each(leaves)('fettle $name: repeated options add up, of others the nearer one wins', async ({leaf}) => {
    const has = (long: string): boolean => leaf.options.some((own) => own.long === long && own.required);
    const args = [...pathOf(leaf)];
    const front = [...(has('--deny') ? ['--deny', 'a'] : []), ...(has('--mode') ? ['--mode', 'plan'] : [])];
    const behind = [...(has('--deny') ? ['--deny', 'b'] : []), ...(has('--mode') ? ['--mode', 'ask'] : [])];
    const all = await parsed([...front, ...args, ...behind, ...operandsOf(leaf)]);
    expect(all).toMatchObject({...(has('--deny') && {deny: ['a', 'b']}), ...(has('--mode') && {mode: 'ask'})});
  });

  it('options that exclude each other do so from both places', async () => {
    expect(await parsed(['--last', 'exec', '--resume', 'x', 'hi'])).toBe(
      "error: option '--last' cannot be used with option '--resume <id>'",
    );
    expect(await parsed(['--json', 'exec', '--emit', 'open-responses', 'hi'])).toMatch(/--emit.* cannot be used with .*--json/);
  });

  it('-C: every command works in that folder', async () => {
    const folder = await scratch({'sub/a.txt': '', 'sub/AGENTS.md': 'x'});
    const home = await scratch({});
    const run = async (...args: string[]): Promise<string> => {
      const {io, stdout} = capturedIo({cwd: folder, home, env: {FETTLE_HOME: home}});
      await runCommandLine(args, io);
      return stdout();
    };
    expect(await run('-C', 'sub', 'config', 'path')).toContain(`${folder}/sub/.fettle/config.toml`);
    expect(await run('-C', 'sub', 'trust', '--show')).toContain(`${folder}/sub: not trusted`);
    expect(await run('-C', 'sub', 'trust', '..', '--show')).toContain(`${folder}: `);
    expect(await run('-C', 'sub', '--deny', 'read:a.txt', 'permissions', 'check', 'read', '{"path": "b.txt"}')).toContain(
      '"decision": "allow"',
    );
    await expect(run('-C', 'sub/a.txt', 'config', 'path')).rejects.toMatchObject({
      code: 'USAGE',
      message: `${folder}/sub/a.txt is not a folder.`,
    });
    await expect(run('-C', 'nope', 'config', 'path')).rejects.toMatchObject({code: 'USAGE'});
  });
});

describe('settings in front of a command take effect', () => {
  it.each([
    [['--deny', 'read:a.txt'], ['permissions', 'check', 'read', '{"path": "a.txt"}'], '"decision": "deny"'],
    [['--mode', 'plan'], ['permissions', 'check', 'write', '{"path": "a.txt", "content": ""}'], '"decision": "deny"'],
    [['--deny', 'bash:ls'], ['permissions', 'explain', '--command', 'ls'], 'deny: '],
    [['--ask', 'bash:ls'], ['permissions', 'list'], 'ask   bash:ls  # --ask'],
    [['--deny', 'read:a.txt'], ['tools', 'call', 'read', '{"path": "a.txt"}'], 'Denied'],
    [['--mode', 'plan'], ['tools', 'call', 'write', '{"path": "b.txt", "content": ""}'], 'Denied'],
    [['--toolset', 'vibe'], ['tools', 'list'], 'read_file'],
    [['--toolset', 'vibe'], ['tools', 'show', 'read_file'], 'read_file'],
    [['-m', 'openai/gpt-test'], ['context', 'show'], 'openai/gpt-test'],
    [['--max-turns', '3'], ['config', 'show'], 'limits.max_turns = 3  # --max-turns'],
    [['-m', 'openai/gpt-test'], ['models', 'list', '--json'], '"model": "openai/gpt-test"'],
  ])('%j %j', async (front, command, expected) => {
    const folder = await scratch({'a.txt': 'text'});
    const home = await scratch({});
    const {io, stdout} = capturedIo({cwd: folder, home, env: {FETTLE_HOME: home, PATH: process.env['PATH']}});
    await runCommandLine([...front, ...command], io);
    expect(stdout()).toContain(expected);
  });

  it.each([
    [['--max-turns', 'many', 'config', 'check'], 'CONFIG'],
    [['--toolset', 'bogus', 'tools', 'list'], 'CONFIG'],
    [['--deny', '', 'permissions', 'list'], 'CONFIG'],
    [['--mode', 'bogus', 'exec', 'hi'], 'USAGE'],
    [['--mode', 'bogus', 'tools'], 'USAGE'],
    [['--bogus', 'tools', 'list'], 'USAGE'],
  ])('%j is refused: %s', async (argv, code) => {
    const home = await scratch({});
    await expect(runCommandLine(argv, capturedIo({cwd: home, home, env: {FETTLE_HOME: home}}).io)).rejects.toMatchObject({code});
  });
});

describe('fettle GROUP', () => {
  it.each(groups)('%s prints its help on stdout', async (group) => {
    const {io, stdout, stderr} = capturedIo();
    expect([await runCommandLine([group], io), stdout().split('\n', 1)[0], stderr()]).toEqual([
      0,
      `Usage: fettle ${group} [options] [command]`,
      '',
    ]);
    await expect(runCommandLine([group, 'lits'], capturedIo().io)).rejects.toMatchObject({code: 'USAGE'});
  });
});

/** The options that the command gets; the message where they are refused. */
async function parsed(argv: readonly string[]): Promise<object | string> {
  const {program, route} = openCommandLine(argv, capturedIo().io);
  let seen: object = {};
  for (const leaf of leavesOf(program)) leaf.action(() => void (seen = leaf.opts()));
  try {
    await program.parseAsync([...routedTokens(route)], {from: 'user'});
    return seen;
  } catch (error) {
    if (isFettleError(error) || error instanceof Error) return error.message;
    throw error;
  }
}

function pathOf(command: Command): string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}

function tokensOf({long, required, argChoices}: Option): string[] {
  const value = long === '--cwd' ? '/tmp' : (argChoices?.[0] ?? 'value');
  return required ? [long ?? '', value] : [long ?? ''];
}

function operandsOf({registeredArguments}: Command): string[] {
  return registeredArguments.filter(({required}) => required).map(({argChoices}) => argChoices?.[0] ?? 'x');
}
