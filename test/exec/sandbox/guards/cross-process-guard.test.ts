import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {openSharedGuard, type SharedGuard} from '../../../../src/exec/sandbox/guards/cross-process-guard.ts';
import {killedWithTest} from '../../../support/processes.ts';
import {scratch} from '../../../support/scratch.ts';
import {missingSandbox} from '../support.ts';

const missing = await missingSandbox();
if (missing !== undefined) describe.skip(`sandbox: skipped: ${missing}`, () => it('needs it', () => undefined));

/** Those of Linux: where they are missing nothing here runs. */
const WALLS = 'bwrap';

async function guards(): Promise<readonly [SharedGuard<string>, SharedGuard<string>]> {
  const place = {root: await scratch(), stateDir: await scratch()};
  return [openSharedGuard<string>(place), openSharedGuard<string>(place)];
}

describe.skipIf(missing !== undefined)('what processes with commands in one folder know together (issue 4 "Safe by construction")', () => {
  it('one looks, and who comes while it looks waits, and gets what it found', async () => {
    const [one, two] = await guards();
    const looking = Promise.withResolvers<void>();
    const found = Promise.withResolvers<string>();
    const looks: string[] = [];
    const first = one.enter(async () => (looks.push('one'), looking.resolve(), await found.promise));
    await looking.promise;
    const second = two.enter(async () => (looks.push('two'), 'of two'));
    // The other has tried the door by then, for its first attempt is made at once.
    found.resolve('of one');
    expect([await first, await second, looks]).toEqual(['of one', 'of one', ['one']]);
    const cleaned: string[] = [];
    await one.leave(async () => void cleaned.push('one'));
    await two.leave(async () => void cleaned.push('two'));
    expect(cleaned).toEqual(['two']);
  });

  it('what was noted before something was made is given to the next one, when it was not brought to its end', async () => {
    const [one, two] = await guards();
    const broken = one.enter(async (_, note) => {
      note('half made');
      throw new Error('killed');
    });
    await expect(broken).rejects.toThrow('killed');
    const given: (string | undefined)[] = [];
    await two.enter(async (left) => (given.push(left), 'whole'));
    await two.leave(async () => undefined);
    await one.enter(async (left) => (given.push(left), 'again'));
    await one.leave(async () => undefined);
    expect(given).toEqual(['half made', undefined]);
  });

  it('while commands of a process that has ended still run, none begins', async () => {
    const [one] = await guards();
    const walls = ['--bind', '/', '/', '--proc', '/proc', '--ro-bind', one.mark, one.mark];
    const orphan = spawn(WALLS, [...walls, '--die-with-parent', 'sh', '-c', 'echo in; read end'], {stdio: ['pipe', 'pipe', 'inherit']});
    killedWithTest(orphan);
    await once(orphan.stdout, 'data');
    await expect(one.enter(async () => 'found')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'Commands of a Fettle that has ended still run in this folder.',
    });
    orphan.stdin.end('end\n');
    await once(orphan, 'exit');
    expect(await one.enter(async () => 'found')).toBe('found');
    await one.leave(async () => undefined);
    expect(existsSync(join(dirname(one.mark), 'found.json'))).toBe(false);
  });

  it('who leaves while its commands still run cleans nothing; the next one is told of it', async () => {
    const [one, two] = await guards();
    await one.enter(async () => 'of one');
    const walls = ['--bind', '/', '/', '--proc', '/proc', '--ro-bind', one.mark, one.mark];
    const command = spawn(WALLS, [...walls, '--die-with-parent', 'sh', '-c', 'echo in; read end'], {stdio: ['pipe', 'pipe', 'inherit']});
    killedWithTest(command);
    await once(command.stdout, 'data');
    const cleaned: string[] = [];
    await one.leave(async () => void cleaned.push('one'));
    command.stdin.end('end\n');
    await once(command, 'exit');
    const given: (string | undefined)[] = [];
    await two.enter(async (left) => (given.push(left), 'of two'));
    await two.leave(async () => void cleaned.push('two'));
    expect([given, cleaned]).toEqual([['of one'], ['two']]);
  });
});
