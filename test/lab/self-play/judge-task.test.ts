import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {judgeTask, type TaskJudgement} from '../../../src/lab/self-play/judge-task.ts';
import type {TaskWork} from '../../../src/lab/self-play/task-work.ts';
import {playText} from '../../../src/lab/self-play/play-text.ts';
import {openScoreTable} from '../../../src/lab/self-play/score-table.ts';
import type {ScoredTree} from '../../../src/lab/self-play/score-tree.ts';
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

/** Tests whose shell line says with which added line they pass, while their expectation is as it was. */
function tests(attempt: number, command: string): TaskWork['tests'][number] {
  return {attempt, command, digest: command, files: [{path: 'check', bytes: new TextEncoder().encode('assert 1')}]};
}

interface Judged extends TaskJudgement {
  readonly scored: readonly string[];
}

/** `again`: false makes the run of this number fail. */
async function judge(work: Partial<TaskWork>, again?: (run: number) => boolean): Promise<Judged> {
  const folder = await scratch({});
  const scored: string[] = [];
  const judging = {
    table: await openScoreTable(join(folder, 'pairs.jsonl')),
    importsFolder: join(folder, 'imports'),
    score: async ({patch: text, decoys = [], verify: {command, tests: folders}}: ScoredTree) => {
      const added = /^\+([^+].*)?$/m.exec(text)?.[1] ?? 'old';
      const expectation = await readFile(join(folders[0] ?? '', 'check'), 'utf8').catch(() => 'assert 1');
      const [isChanged, comments] = [expectation !== 'assert 1', decoys.map((decoy) => decoy.text.trim()).join('')];
      scored.push([command, 'on', added, comments, isChanged ? 'changed' : ''].join(' ').trim());
      return (again?.(scored.length) ?? true) && !isChanged && new RegExp(`^(?:${command})$`).test(`${added}${comments}`);
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
        "a \\+ 1 on old",
        "a \\+ 1 on a + 1",
        "(?!old).* on old",
        "(?!old).* on a + 1",
        "a \\+ 1 on a - 1",
        "(?!old).* on a - 1",
        "a \\+ 1 on a + 2",
        "(?!old).* on a + 2",
        "a \\+ 1 on a + 1  changed",
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
                       before  fix 1
        test 1           fail   pass
        changed lines              2
        test 2: it was not run to its end
        fix 1: rejected, since none of its tests notices any of 2 mutations of it
        Nothing is promoted: no patch is left that passes more than half of the
          tests that count.
      "
    `);
  });

  it.each([
    ['there is no patch', {tests: [tests(1, 'x')]}],
    ['there are no tests', {patches: [patch(1, 'x')]}],
    ['there are no tests that count', {patches: [patch(1, 'x')], tests: [tests(1, 'y'), tests(2, '.*')]}],
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

  it('does not count tests that say something else when they are run again, and chooses anew', async () => {
    const judged = await judge({patches: [patch(1, 'a + 1')], tests: [tests(1, '(?!old).*')]}, (run) => run !== 4);
    expect([judged.choice.verdicts, judged.promoted, judged.reason]).toEqual([['unsteady'], undefined, 'there are no tests that count']);
  });

  it('does not count tests that a comment in the sources deceives', async () => {
    const js = (attempt: number, line: string) => ({
      ...patch(attempt, line),
      patch: patch(attempt, line).patch.replaceAll(/([ab])\/a\b/g, '$1/a.js'),
    });
    const work = {patches: [js(1, 'new')], tests: [tests(1, '(?!old$)[^]*new[^]*'), tests(2, 'new'), tests(3, 'new[^]*')]};
    const judged = await judge(work);
    expect([judged.choice.verdicts, judged.promoted?.tests]).toEqual([['reads-sources', 'reads-sources', 'counts'], [2]]);
  });

  it('rejects a patch of which nothing can be mutated', async () => {
    const {rejected} = await judge({patches: [patch(1, '# comment')], tests: [tests(1, '# comment')]});
    expect(rejected).toEqual(['fix 1: rejected, since nothing of it can be mutated to check its tests']);
  });

  it('promotes no tests without an expectation that can be changed', async () => {
    const judged = await judge({patches: [patch(1, 'a + 1')], tests: [{...tests(1, String.raw`a \+ 1`), files: []}]});
    expect([judged.promoted, judged.rejected]).toEqual([undefined, ['fix 1: rejected, since none of its tests can be shown to decide']]);
  });

  it('scores equal patches once', async () => {
    const {scored} = await judge({patches: [patch(1, 'y'), patch(2, 'y')], tests: [tests(1, 'x')]});
    expect(scored).toEqual(['x on old', 'x on y']);
  });
});
