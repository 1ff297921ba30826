import {truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {readIfThere} from '../../src/config/config-file.ts';
import {readGrants} from '../../src/config/grants.ts';
import {readManagedRules} from '../../src/config/grants-managed.ts';
import {loadConfig} from '../../src/config/load.ts';
import {parseToml} from '../../src/config/parse-toml.ts';
import {scratch} from '../support/scratch.ts';

const MOST = 256 * 1024;

/** As large as a file may be, of one piece again and again. */
function full(start: string, piece: string, end = ''): string {
  return start + piece.repeat(Math.floor((MOST - start.length - end.length) / piece.length)) + end;
}

function outcome(text: string): string {
  const parsed = parseToml(new TextEncoder().encode(text));
  return parsed.ok ? `read, line ${parsed.lineOf(['nothing'])}` : parsed.message.replace(/ \(column \d+\)$/, '');
}

/** Without a limit the first of these took all memory there is, from a file of 200 KB. */
describe('what a hostile file of settings may cost (issue 4.6): it is refused or read, and never ends the program', () => {
  it.each([
    ['dotted keys', full('a', '.a', ' = 1'), 'nested more than 20 levels deep'],
    ['quoted dotted keys', full('"a"', '."a"', ' = 1'), 'nested more than 20 levels deep'],
    ['a dotted table', full('[a', '.a', ']'), 'nested more than 20 levels deep'],
    ['lists in lists', 'a = ' + '['.repeat(500) + ']'.repeat(500), 'nested more than 20 levels deep'],
    ['lists in lists without end', full('a = ', '['), 'not valid TOML: document contains excessively nested structures. aborting.'],
    ['tables in tables without end', full('a = ', '{a='), 'not valid TOML: document contains excessively nested structures. aborting.'],
    ['the same key', full('', 'a = 1\n'), 'not valid TOML: trying to redefine an already defined table or value'],
    ['a text without end', full('a = """', '"a'), 'not valid TOML: unfinished string'],
    ['a list of a hundred thousand', full('a = [', '1,', ']'), 'read, line 1'],
    ['thousands of tables', full('', '[[a]]\nx=1\n'), 'read, line 1'],
    ['one byte too much', `${full('', '# x\n')}#${' '.repeat(4)}`, 'larger than 256 KB, which no configuration is'],
  ])('%s', (_name, text, expected) => {
    expect(outcome(text)).toBe(expected);
  });

  it('a file of 50 MB is not even read: the settings, the stored rules, the rules of the machine', async () => {
    const home = await scratch({'config.toml': '', 'permissions.toml': '', 'managed.toml': ''});
    for (const name of ['config.toml', 'permissions.toml', 'managed.toml']) {
      writeFileSync(join(home, name), 'x = 1\n', {mode: 0o600});
      truncateSync(join(home, name), 50_000_000);
    }
    const tooLarge = (name: string): object => ({
      code: 'CONFIG',
      message: `${join(home, name)}: larger than 256 KB, which no configuration is`,
    });
    const load = loadConfig({env: {FETTLE_HOME: home}, home, cwd: home});
    await expect(load).rejects.toMatchObject(tooLarge('config.toml'));
    await expect(readGrants(join(home, 'permissions.toml'))).rejects.toMatchObject(tooLarge('permissions.toml'));
    const managed = readManagedRules(join(home, 'managed.toml'), process.getuid?.());
    await expect(managed).rejects.toMatchObject(tooLarge('managed.toml'));
    await expect(readIfThere(join(home, 'config.toml'))).rejects.toMatchObject(tooLarge('config.toml'));
  });

  it('the file of a person with a bomb in it: CONFIG with file and line', async () => {
    const home = await scratch({'config.toml': full('a', '.a', ' = 1')});
    const load = loadConfig({env: {FETTLE_HOME: home}, home, cwd: home});
    await expect(load).rejects.toMatchObject({code: 'CONFIG', message: `${join(home, 'config.toml')}:1: nested more than 20 levels deep`});
  });
});
