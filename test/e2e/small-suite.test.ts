import {spawnSync} from 'node:child_process';
import {cp, glob, mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {programsOn} from '../../src/lab/suite/suite-facts.ts';
import {readSuite} from '../../src/lab/suite/read-suite.ts';
import type {SuiteTask} from '../../src/lab/suite/task.ts';
import {scratch} from '../support/scratch.ts';
import {sharedFettle} from './shared-process.ts';
import {missingSandbox} from '../exec/sandbox/support.ts';
import {fettle, place} from './support.ts';

const FOLDER = join(import.meta.dirname, '../../examples/suites/small');
const PATH = process.env['PATH'] ?? '';
const MISSING = await missingSandbox();
const facts = {programs: await programsOn(PATH), importsFolder: '/nonexistent'} as const;
const suite = await readSuite(FOLDER, facts, new AbortController().signal);

/** The exit code of the verification of a task, for a tree that an agent has left. */
async function judge({steps: [step]}: SuiteTask, work: string): Promise<number | null> {
  if (step === undefined) throw new Error('The task has no step.');
  const {command, tests, testsAt} = step.verify;
  for (const folder of tests) await cp(folder, join(work, testsAt), {recursive: true});
  const {status, error} = spawnSync('bash', ['-c', command], {cwd: work, env: {PATH, HOME: work}, timeout: 30_000, killSignal: 'SIGKILL'});
  if (error !== undefined) throw error;
  return status;
}

async function startOf({start}: SuiteTask, work: string): Promise<void> {
  if (start.kind === 'folder') await cp(start.folder, work, {recursive: true});
}

/** An answer that ends every process of its own with success, whatever it was asked. */
const EXITS: Readonly<Record<string, readonly [pattern: string, text: string]>> = {
  javascript: ['**/*.mjs', 'process.exit(0);\n'],
  python: ['**/*.py', 'import os\nos._exit(0)\n'],
  shell: ['**/*.sh', 'exit 0\n'],
  c: ['**/*.c', '#include <stdlib.h>\n__attribute__((constructor)) static void leave(void) { _Exit(0); }\n'],
};
const WRITTEN: Readonly<Record<string, string>> = {
  'js-lru-cache': 'lru.mjs',
  'js-test-slug': 'slug.test.mjs',
  'py-parse-size': 'sizes.py',
  'py-test-queue': 'test_delivery.py',
  'sh-log-summary': 'summary.sh',
  'c-ring-buffer': 'ring.c',
};

describe('examples/suites/small', () => {
  it('has at least 20 tasks, in four languages, of different kinds, each with a script', () => {
    const labels = (name: string): readonly string[] => [...new Set(suite.tasks.map((task) => task.labels[name] ?? 'none'))].toSorted();
    expect(suite.broken).toEqual([]);
    expect(suite.tasks.length).toBeGreaterThanOrEqual(20);
    expect(labels('language')).toEqual(['c', 'data', 'javascript', 'python', 'shell']);
    expect(labels('kind')).toEqual(['data', 'encoding', 'explain', 'fix', 'refactor', 'rename', 'test', 'write']);
    expect(suite.tasks.filter(({script}) => script === undefined)).toEqual([]);
  });

  for (const task of suite.tasks) {
    it(`${task.id}: fails on the start, passes after its script`, async (context) => {
      context.skip(task.lacks.length > 0, task.lacks.join(' '));
      const untouched = await scratch();
      await startOf(task, untouched);
      expect(await judge(task, untouched)).toBeGreaterThan(0);

      const at = await place();
      await startOf(task, at.work);
      const args = ['exec', '--model', `script:${task.script}`, '--mode', 'full-auto', task.steps[0]?.prompt ?? ''];
      const {code, stderr} = await sharedFettle(at, args);
      expect([code, stderr.split('\n').filter((line) => /^ {2}(?:failed|denied):/.test(line))], stderr).toEqual([0, []]);
      expect(await judge(task, at.work)).toBe(0);
    });

    const [pattern, text] = EXITS[task.labels['language'] ?? ''] ?? [];
    if (pattern !== undefined && text !== undefined) {
      it(`${task.id}: an answer that only ends with success fails`, async (context) => {
        context.skip(task.lacks.length > 0, task.lacks.join(' '));
        const work = await scratch();
        await startOf(task, work);
        for (const name of await Array.fromAsync(glob(pattern, {cwd: work}))) await writeFile(join(work, name), text);
        const written = WRITTEN[task.id];
        if (written !== undefined) await writeFile(join(work, written), text);
        await mkdir(join(work, 'out'), {recursive: true});
        expect(await judge(task, work)).toBeGreaterThan(0);
      });
    }
  }
});

const PLAY = ['lab', 'self-play', FOLDER, '--model', 'script', '--tasks', 'py-merge-ranges', '--attempts', '2', '--name', 'play'];

it.skipIf(MISSING !== undefined)(
  `self-play on its recorded task promotes the honest patch (docs/guide/lab.md; skipped without bubblewrap)`,
  async () => {
    const at = await place();
    const {code, stdout} = await fettle(at, PLAY);
    expect([code, stdout]).toEqual([
      0,
      `py-merge-ranges
                 before  fix 1  fix 2
  test 1           fail   pass   fail
  test 2           pass   pass   pass
  changed lines              7      2
  test 2: does not count, since it passes before any patch
  Promoted: fix 1, with test 1; 5 of 5 mutations noticed.
  The hidden verification passes.
`,
    ]);
  },
);
