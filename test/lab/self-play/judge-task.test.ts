import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {judgeTask, type TaskJudgement, type TaskWork} from '../../../src/lab/self-play/judge-task.ts';
import {playText} from '../../../src/lab/self-play/play-text.ts';
import {openScoreTable} from '../../../src/lab/self-play/score-table.ts';
import type {SuiteTask} from '../../../src/lab/suite/task.ts';
import {step} from '../rollout/runs/support.ts';
import {scratch} from '../../support/scratch.ts';

const TASK: SuiteTask = {
  id: 't',
  format: 'fettle',
  digest: 'digest',
  steps: [step({command: 'hidden'})],
  start: {kind: 'empty'},
  place: {kind: 'folder', workdir: '.', env: {}, copies: [], network: false, mcpServers: []},
  limits: {agentTimeS: 60},
  lacks: [],
  labels: {},
};

/** A patch that adds one line. */
function patch(attempt: number, line: string, lines = 2): TaskWork['patches'][number] {
  return {attempt, patch: `diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-old\n+${line}\n`, lines, dropped: []};
}

/** Tests whose shell line says with which added line they pass. */
function tests(attempt: number, command: string): TaskWork['tests'][number] {
  return {attempt, command, digest: command, files: []};
}

interface Judged extends TaskJudgement {
  readonly scored: readonly string[];
}

async function judge(work: Partial<TaskWork>): Promise<Judged> {
  const folder = await scratch({});
  const scored: string[] = [];
  const judging = {
    table: await openScoreTable(join(folder, 'pairs.jsonl')),
    importsFolder: join(folder, 'imports'),
    score: async (tree: {readonly patch: string; readonly verify: {readonly command: string}}) => {
      const added = /^\+([^+].*)?$/m.exec(tree.patch)?.[1] ?? 'old';
      scored.push(`${tree.verify.command} on ${added}`);
      return await Promise.resolve(new RegExp(`^(?:${tree.verify.command})$`).test(added));
    },
  };
  const judgement = await judgeTask({task: TASK, patches: [], tests: [], unusable: [], ...work}, judging, new AbortController().signal);
  return {...judgement, scored};
}

describe('judgeTask', () => {
  it('promotes the patch with the tests that notice its mutations, and runs the hidden verification last', async () => {
    const {promoted, scored} = await judge({
      patches: [patch(1, 'a + 1'), patch(2, 'five')],
      tests: [tests(1, String.raw`a \+ 1`), tests(2, '(?!old).*')],
    });
    expect(promoted).toEqual({patch: 0, tests: [0], mutants: 2, noticed: 2, isRight: false});
    expect(scored).toMatchInlineSnapshot(`
      [
        "a \\+ 1 on old",
        "(?!old).* on old",
        "a \\+ 1 on a + 1",
        "(?!old).* on a + 1",
        "a \\+ 1 on five",
        "(?!old).* on five",
        "a \\+ 1 on a - 1",
        "(?!old).* on a - 1",
        "a \\+ 1 on a + 2",
        "(?!old).* on a + 2",
        "hidden on a + 1",
      ]
    `);
  });

  it('promotes nothing if no test notices a mutation', async () => {
    const judged = await judge({
      patches: [patch(1, 'a + 1')],
      tests: [tests(1, '(?!old).*')],
      unusable: ['test 2: it was not run to its end'],
    });
    expect(judged.promoted).toBeUndefined();
    expect(playText(judged)).toMatchInlineSnapshot(`
      "t
                      before  patch 1
        tests 1        fails   passes  counts
        lines                       2
        test 2: it was not run to its end
        fix 1: rejected, since none of its tests notices any of 2 mutations of it
        Nothing is promoted: no patch is left that passes more than half of the tests that count.
      "
    `);
  });

  it.each([
    ['there is no patch', {tests: [tests(1, 'x')]}],
    ['there are no tests', {patches: [patch(1, 'x')]}],
    ['no tests fail before and pass with a patch', {patches: [patch(1, 'x')], tests: [tests(1, 'y'), tests(2, '.*')]}],
    [
      'no patch passes more than half of the tests that count',
      {patches: [patch(1, 'x'), patch(2, 'y')], tests: [tests(1, 'x'), tests(2, 'y')]},
    ],
  ])('promotes nothing where %s', async (reason, work) => {
    const {promoted, reason: why} = await judge(work);
    expect([promoted, why]).toEqual([undefined, reason]);
  });

  it('rejects one patch after another while tests pass with it even when they are changed', async () => {
    const shown = {...tests(1, 'a - 1|b.*'), files: [{path: 'a', bytes: new TextEncoder().encode('assert(f() === 1)')}]};
    const judged = await judge({patches: [patch(1, 'b', 1), patch(2, 'a - 1')], tests: [shown]});
    expect([judged.promoted, judged.rejected]).toEqual([
      undefined,
      [
        'fix 1: rejected, since its tests pass with it even when they are changed',
        'fix 2: rejected, since its tests pass with it even when they are changed',
      ],
    ]);
  });

  it('scores equal patches once', async () => {
    const {scored} = await judge({patches: [patch(1, 'y'), patch(2, 'y')], tests: [tests(1, 'x')]});
    expect(scored).toEqual(['x on old', 'x on y']);
  });
});
