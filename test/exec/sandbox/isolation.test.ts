import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync, rmSync} from 'node:fs';
import {basename, join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import type {Isolation, IsolationRules} from '../../../src/exec/sandbox/isolation.ts';
import {openIsolation} from '../../../src/exec/sandbox/open-isolation.ts';
import {scratch} from '../../support/scratch.ts';

interface Opened {
  readonly folder: string;
  readonly isolation: Isolation;
  readonly rules: IsolationRules;
  run(line: string, changed?: Partial<IsolationRules>): {readonly code: number | null; readonly out: string};
}

/** A folder to write, beside a hidden one with a visible part. */
async function opened(): Promise<Opened> {
  const folder = await scratch({'work/a.txt': 'a\n', 'hidden/secret.txt': 'secret\n', 'hidden/seen/b.txt': 'b\n', 'file.txt': 'secret\n'});
  const isolation = await openIsolation(join(folder, 'state'));
  onTestFinished(() => isolation.close());
  const work = join(folder, 'work');
  const rules: IsolationRules = {
    writable: [work],
    hidden: [join(folder, 'hidden'), join(folder, 'file.txt')],
    visible: [join(folder, 'hidden/seen')],
    shown: [{folder: work, at: '/isolated', writable: false}],
    network: false,
    nested: false,
  };
  return {
    folder,
    isolation,
    rules,
    run(line, changed) {
      const command = isolation.wrap({program: 'bash', args: ['--norc', '-c', line]}, {...rules, ...changed}, {cwd: work, env: {}});
      const {status, stdout, stderr} = spawnSync(command.program, [...command.args], {encoding: 'utf8', env: {PATH: process.env['PATH']}});
      return {code: status, out: `${stdout}${stderr}`};
    },
  };
}

describe.each([true, false])('isolation (nested: %s)', (nested) => {
  it('writes only where it is allowed, also to what is shown elsewhere', async () => {
    const {run, folder} = await opened();
    expect(run('echo x > new.txt; cat /isolated/a.txt', {nested})).toEqual({code: 0, out: 'a\n'});
    for (const path of ['/isolated/x', '/x', '/usr/x', '/etc/x', `${folder}/x`, `${folder}/hidden/x`, `${folder}/hidden/seen/x`])
      expect(run(`echo x > ${path}`, {nested})).toMatchObject({
        code: 1,
        out: expect.stringMatching(/Read-only file system|Permission denied/),
      });
    expect(readFileSync(join(folder, 'work/new.txt'), 'utf8')).toBe('x\n');
  });

  it('leaves nothing in the shared memory of the machine', async (context) => {
    context.skip(!existsSync('/dev/shm'), 'this system has none');
    const {run, folder} = await opened();
    const name = `fettle-test-${basename(folder)}`;
    onTestFinished(() => rmSync(join('/dev/shm', name), {force: true}));
    expect(run(`echo x > /dev/shm/${name} && cat /dev/shm/${name} && echo y > /dev/null`, {nested})).toEqual({code: 0, out: 'x\n'});
    expect(existsSync(join('/dev/shm', name))).toBe(false);
  });

  it('shows nothing that is hidden, and what is visible in it', async () => {
    const {run, folder} = await opened();
    expect(run(`ls ${folder}/hidden ${folder}/hidden/seen; cat ${folder}/file.txt`, {nested})).toEqual({
      code: 0,
      out: `${folder}/hidden:\nseen\n\n${folder}/hidden/seen:\nb.txt\n`,
    });
    expect(run(`umount ${folder}/hidden; cat ${folder}/hidden/secret.txt`, {nested}).out).not.toContain('secret\n');
  });

  it('sees no files of processes outside', async () => {
    const {run, folder} = await opened();
    const path = join(folder, 'hidden/secret.txt');
    expect(run(`cat /proc/${process.pid}/root${path} /proc/${process.pid}/cwd/package.json`, {nested}).code).toBe(1);
    expect(run(`ls /proc/${process.pid}/fd /proc/1/root`, {nested}).code).not.toBe(0);
  });

  it('ends with its owner', async () => {
    const {isolation, rules, folder} = await opened();
    const line = 'echo began; exec sleep 63.25';
    const command = isolation.wrap({program: 'sh', args: ['-c', line]}, {...rules, nested}, {cwd: '/', env: {}});
    const owner = spawn(process.execPath, ['-e', OWNER, command.program, ...command.args], {stdio: ['ignore', 'pipe', 'inherit']});
    await once(owner.stdout, 'data');
    expect(running('sleep 63.25').length).toBe(1);
    // The pipe ends when none of the processes that have it is left.
    const ended = once(owner.stdout.resume(), 'close');
    owner.kill('SIGKILL');
    await ended;
    expect([running('sleep 63.25'), existsSync(folder)]).toEqual([[], true]);
  });
});

const OWNER = `require('node:child_process').spawn(process.argv[1], process.argv.slice(2), {stdio: ['ignore', 'inherit', 'inherit']})`;

describe('isolation', () => {
  it('has no network, or that of the machine', async () => {
    const {run} = await opened();
    const line = 'ls /sys/class/net | sort | head -1; cat /proc/net/route | wc -l';
    expect(run(line)).toEqual({code: 0, out: expect.stringMatching(/\n1\n$/)});
    expect(run('readlink /proc/self/ns/net').out).not.toBe(run('readlink /proc/self/ns/net', {network: true}).out);
  });

  it('without nesting it has processes of its own, which end with it, and opens no namespaces', async () => {
    const {run} = await opened();
    expect(run('ls /proc | grep -c "^[0-9]"; (setsid sleep 64.25 &) ; true').out.trim()).toMatch(/^\d$/);
    expect(running('sleep 64.25')).toEqual([]);
    expect(run('unshare -U true').code).not.toBe(0);
  });

  it('with nesting it opens another one inside, and everything that sees the folder can be ended', async () => {
    const {run, isolation, folder} = await opened();
    const inner = 'bwrap --unshare-user --unshare-pid --ro-bind / / --dev /dev --proc /proc';
    expect(run(`${inner} -- cat a.txt`, {nested: true})).toEqual({code: 0, out: 'a\n'});
    const left = (seconds: string): string => `sh -c 'echo began >began; exec /bin/sleep ${seconds}' </dev/null >/dev/null 2>&1`;
    const both = `(setsid env -i /bin/${left('65.25')} &); (setsid ${inner} -- ${left('66.25')} &); read -r _ <&3; read -r _ <&3`;
    expect(run(`mkfifo began; exec 3<>began; ${both}`, {nested: true})).toEqual({code: 0, out: ''});
    expect([running('/bin/sleep 65.25').length, running('/bin/sleep 66.25').length]).toEqual([1, 1]);
    await isolation.endAll(join(folder, 'work'));
    expect([running('/bin/sleep 65.25'), running('/bin/sleep 66.25')]).toEqual([[], []]);
  });

  it('starts nothing if a folder cannot be made visible at its path', async () => {
    const {run, folder} = await opened();
    expect(run('echo started', {shown: [{folder: join(folder, 'work'), at: '/usr/not-there', writable: true}]})).toEqual({
      code: 1,
      out: expect.stringMatching(/^bwrap: Can't mkdir/),
    });
  });
});

function running(args: string): string[] {
  return execFileSync('ps', ['-eo', 'pid,stat,args'], {encoding: 'utf8'})
    .split('\n')
    .filter((line) => line.endsWith(args) && !/ Z/.test(line) && !line.includes('bwrap'));
}
