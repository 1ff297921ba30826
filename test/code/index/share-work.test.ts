import {threadId} from 'node:worker_threads';
import {describe, expect, it} from 'vitest';
import {mapInWorkers} from '../../../src/code/index/share-work.ts';

const entry = new URL('echo-thread.ts', import.meta.url);
const MINE = String(threadId);

interface Asked {
  readonly cores: number;
  readonly onAnswer?: (answer: string) => void;
  readonly signal?: AbortSignal;
}

async function shared(tasks: readonly string[], {cores, onAnswer, signal}: Asked): Promise<string[]> {
  const answers: string[] = [];
  const take = (answer: string): void => {
    answers.push(answer);
    onAnswer?.(answer);
  };
  const here = (task: string): string => `${MINE} ${task}`;
  await mapInWorkers({entry, tasks, here, cores}, take, signal ?? new AbortController().signal);
  return answers;
}

const hundred = Array.from({length: 100}, (_, n) => `task${n}`);
const tasksOf = (answers: readonly string[]): string[] => answers.map((answer) => answer.replace(/^\d+ /, ''));
const byThread = (answers: readonly string[]) => Object.groupBy(answers, (answer) => answer.split(' ')[0] ?? '');

describe('shareWork (design 8: ≤ 300 MB while building 1 M lines)', () => {
  it('does every task once, with one core in this thread alone, in order', async () => {
    expect(await shared(hundred, {cores: 1})).toEqual(hundred.map((task) => `${MINE} ${task}`));
  });

  it('shares tasks with one thread on two cores, from both ends', async () => {
    const answers = await shared(hundred, {cores: 2});
    expect(tasksOf(answers).toSorted()).toEqual(hundred.toSorted());
    const mine = tasksOf(byThread(answers)[MINE] ?? []);
    expect(mine).toEqual(hundred.slice(0, mine.length));
  });

  it('leaves this thread free where there are more cores', async () => {
    const answers = await shared(hundred, {cores: 4});
    expect(tasksOf(answers).toSorted()).toEqual(hundred.toSorted());
    const threads = Object.keys(byThread(answers));
    expect({threads: threads.length, isMine: threads.includes(MINE)}).toEqual({threads: 2, isMine: false});
  });

  it('starts no thread for nothing', async () => {
    expect(await shared([], {cores: 4})).toEqual([]);
  });

  it('fails with what failed: a thread that ended, a task, an answer that could not be taken', async () => {
    await expect(shared(['a', 'end'], {cores: 4})).rejects.toThrow('A thread of the code index has ended.');
    await expect(shared(['a', 'throw'], {cores: 4})).rejects.toThrow('This task cannot be done.');
    const onAnswer = (): void => {
      throw new Error('The disk is full.');
    };
    for (const cores of [1, 4]) await expect(shared(['a'], {cores, onAnswer})).rejects.toThrow('The disk is full.');
  });

  it('ends when it is not wanted any more, with tasks under way', async () => {
    for (const cores of [1, 4]) {
      const controller = new AbortController();
      const onAnswer = (): void => controller.abort(new Error('Not wanted.'));
      const asked = shared(['a', 'never', 'b', 'never'], {cores, onAnswer, signal: controller.signal});
      await expect(asked).rejects.toThrow('Not wanted.');
    }
  });
});
