import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {describe, expect, it} from 'vitest';
import {listProcesses, startOf} from '../../../src/exec/process/process-table.ts';
import {birthOf, eachRecent} from '../../../src/exec/process/recent-processes.ts';
import {killedWithTest} from '../../support/processes.ts';

async function sleeping(env: Record<string, string> = {}): Promise<number> {
  const child = spawn('/bin/sleep', ['1000'], {env, stdio: 'ignore'});
  killedWithTest(child);
  await once(child, 'spawn');
  return child.pid ?? 0;
}

/** Processes that have been started and have ended: their numbers are passed over. */
function useNumbers(count: number): void {
  spawnSync('/bin/sh', ['-c', `i=0; while [ $i -lt ${count} ]; do (:); i=$((i + 1)); done`]);
}

describe.skipIf(process.platform !== 'linux')('the processes since a birth', () => {
  it('are visited from the first to those that are started meanwhile', async () => {
    const first = await sleeping();
    // As if no time passed: a busy machine has time for anything.
    const birth = birthOf(first, Infinity);
    const visited: number[] = [];
    let late: number | undefined;
    const whole =
      birth !== undefined &&
      eachRecent(birth, (pid) => {
        visited.push(pid);
        late ??= spawn('/bin/true', {stdio: 'ignore'}).pid;
      });
    expect([whole, visited[0], visited.includes(late ?? 0)]).toEqual([true, first, true]);
  });

  it('are not known from their numbers where there are too many of them, after so long that these come round, or of no birth', async () => {
    const now = performance.now();
    const first = await sleeping();
    expect(eachRecent({pid: first, at: now - 86_400_000}, () => undefined)).toBe(false);
    useNumbers(600);
    expect([eachRecent({pid: first, at: Infinity}, () => undefined), birthOf(first, now), birthOf(2 ** 22 + 1, now)]).toEqual([
      false,
      undefined,
      undefined,
    ]);
  });

  it('are the same as in the list of all', async () => {
    const at = performance.now();
    const first = await sleeping({FETTLE_MARK: 'there'});
    const birth = birthOf(first, at);
    const second = await sleeping({FETTLE_MARK: 'there'});
    const options = {marker: 'FETTLE_MARK=there', since: startOf(first)};
    const marked = (list: ReturnType<typeof listProcesses>): number[] => list.entries.filter((entry) => entry.marked).map(({pid}) => pid);
    expect([marked(listProcesses({...options, birth})), marked(listProcesses(options))]).toEqual([
      [first, second],
      [first, second],
    ]);
  });
});
