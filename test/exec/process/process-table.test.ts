import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {describe, expect, it, onTestFinished} from 'vitest';
import {listProcesses, startOf} from '../../../src/exec/process/process-table.ts';

describe.skipIf(process.platform !== 'linux')('listProcesses', () => {
  it.each([
    ['marked by what it inherited', {FETTLE_MARK: 'here'}, true],
    ['no stranger for long where it has no variables at all: that is told from a process that is just becoming another program', {}, false],
  ])('a process is %s', async (_, env, marked) => {
    const child = spawn('/bin/sleep', ['1000'], {env, stdio: 'ignore'});
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child, 'spawn');
    const since = startOf(child.pid ?? 0);
    await expect
      .poll(() => {
        const {entries, becoming} = listProcesses({marker: 'FETTLE_MARK=here', since});
        return [becoming, entries.find(({pid}) => pid === child.pid)?.marked];
      })
      .toEqual([false, marked]);
  });
});
