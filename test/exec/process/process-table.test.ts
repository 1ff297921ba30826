import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {describe, expect, it} from 'vitest';
import {listProcesses, startOf} from '../../../src/exec/process/process-table.ts';
import {killedWithTest} from '../../support/processes.ts';

describe.skipIf(process.platform !== 'linux')('listProcesses', () => {
  it.each([
    ['marked by what it inherited', {FETTLE_MARK: 'here'}, true],
    ['no stranger for long where it has no variables at all: that is told from a process that is just becoming another program', {}, false],
  ])('a process is %s', async (_, env, marked) => {
    const child = spawn('/bin/sleep', ['1000'], {env, stdio: 'ignore'});
    killedWithTest(child);
    await once(child, 'spawn');
    const since = startOf(child.pid ?? 0);
    await expect
      .poll(() => {
        const {entries, becoming} = listProcesses({marker: 'FETTLE_MARK=here', since});
        return [becoming, entries.find(({pid}) => pid === child.pid)?.marked];
      })
      .toEqual([false, marked]);
  });

  it('what is older than the first of the wanted ones is left out, and only for them', async () => {
    const child = spawn('/bin/sleep', ['1000'], {env: {FETTLE_MARK: 'here'}, stdio: 'ignore'});
    killedWithTest(child);
    await once(child, 'spawn');
    const {pid = 0} = child;
    const isListed = (since: number): boolean =>
      listProcesses({marker: 'FETTLE_MARK=here', since}).entries.some((entry) => entry.pid === pid && entry.marked);
    const start = startOf(pid);
    expect([start, start + 1, start + 1, start, 0].map(isListed)).toEqual([true, false, false, true, true]);
  });

  it('one that has ended is not listed, and nothing is known of its start', async () => {
    const child = spawn('/bin/true', {stdio: 'ignore'});
    const {pid = 0} = child;
    const since = startOf(pid);
    await once(child, 'exit');
    expect([since > 0, startOf(pid), listProcesses({marker: 'x', since}).entries.some((entry) => entry.pid === pid)]).toEqual([
      true,
      0,
      false,
    ]);
  });
});
