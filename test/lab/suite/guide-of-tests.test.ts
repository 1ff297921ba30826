import {execFile} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import {scratch} from '../../support/scratch.ts';

const GUIDE = join(import.meta.dirname, '../../../docs/guide/lab.md');
const tests = Array.from({length: 12}, (_, n) => n);

const FILES = {
  'hidden-tests/test_all.py': `import os, sys, unittest
sys.path.append(os.getcwd())
import solution
class All(unittest.TestCase):
${tests.map((n) => `    def test_${n}(self): self.assertEqual(solution.double(${n}), ${2 * n})`).join('\n')}
`,
  'hidden-tests/all.test.mjs': `import assert from 'node:assert';
import test from 'node:test';
import {double} from '../solution.mjs';
${tests.map((n) => `test('${n}', () => assert.equal(double(${n}), ${2 * n}));`).join('\n')}
`,
};

/** Each line is given a right solution, one that ends the process of the tests, one that is wrong, and modules planted beside it. */
const SOLUTIONS = [
  {python: 'def double(n): return 2 * n\n', node: 'export const double = (n) => 2 * n;\n', passes: true},
  {python: 'import os\nos._exit(0)\n', node: 'process.exit(0);\nexport const double = 0;\n', passes: false},
  {python: 'def double(n): return n\n', node: 'export const double = (n) => n;\n', passes: false},
];

describe('the lines of the guide on hidden tests (issue 19 › verified outside of the agent)', () => {
  it('pass with a right solution, and not with one that ends the process or plants modules', async () => {
    const lines = Array.from(
      (await readFile(GUIDE, 'utf8')).matchAll(/^ +verify = "(set -o pipefail; python3.*|node --test --test-reporter.*)"$/gm),
      ([, line = '']) => line,
    );
    expect(lines).toHaveLength(2);
    for (const {python, node, passes} of SOLUTIONS) {
      const planted: Record<string, string> = passes ? {} : {'unittest.py': 'print("Ran 12 tests in 0.0s")\n'};
      const folder = await scratch({...FILES, ...planted, 'solution.py': python, 'solution.mjs': node});
      const ends = await Promise.all(lines.map(async (line) => await endOf(line, folder)));
      expect([python, ends]).toEqual([python, [passes, passes]]);
    }
  });
});

async function endOf(line: string, cwd: string): Promise<boolean> {
  return await promisify(execFile)('bash', ['-c', line], {cwd}).then(
    () => true,
    () => false,
  );
}
