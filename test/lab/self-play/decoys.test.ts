import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {decoysOf} from '../../../src/lab/self-play/decoys.ts';
import {scratch} from '../../support/scratch.ts';

function patchOf(path: string, removed: readonly string[], added: readonly string[], head = ''): string {
  const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
  return `diff --git a/${path} b/${path}\n${head}--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n${lines.join('\n')}\n`;
}

describe('decoysOf', () => {
  it('has the lines of one side as a comment of the language', () => {
    const patch = patchOf('src/a.mjs', ['return a * b;'], ['return a + b; /* sum */']);
    expect([decoysOf(patch, 'added'), decoysOf(patch, 'removed')]).toEqual([
      [{path: 'src/a.mjs', text: '\n/*\nreturn a + b; / * sum * /\n*/\n'}],
      [{path: 'src/a.mjs', text: '\n/*\nreturn a * b;\n*/\n'}],
    ]);
  });

  it('leaves out files whose text is what they do, and does not bring back a removed file', () => {
    expect(['a.css', 'README.md', 'data.json', 'Makefile'].flatMap((path) => decoysOf(patchOf(path, ['a'], ['b']), 'added'))).toEqual([]);
    const removed = patchOf('a.py', ['a'], [], 'deleted file mode 100644\n');
    expect(decoysOf(removed, 'removed')).toEqual([]);
  });

  it.each([
    ['a.mjs', ['node', 'a.mjs'], 'process.exitCode = 3;'],
    ['a.py', ['python3', 'a.py'], 'import sys\nif True:\n    sys.exit(3)'],
    ['a.sh', ['sh', 'a.sh'], 'f() { return 3; }\nf'],
  ])('changes nothing that a program does: %s', async (path, [program = '', ...args], source) => {
    const folder = await scratch({});
    mkdirSync(folder, {recursive: true});
    const nasty = ["''' */ /* \\", 'exit 1', '$(exit 1)', "r'''"];
    const [decoy] = decoysOf(patchOf(path, [], nasty), 'added');
    writeFileSync(join(folder, path), `${source}${decoy?.text ?? ''}`);
    const status = (): unknown => {
      try {
        execFileSync(program, args, {cwd: folder, stdio: 'pipe'});
        return 0;
      } catch (thrown) {
        return (thrown as {status: unknown}).status;
      }
    };
    expect([decoy?.text.includes('exit 1'), status()]).toEqual([true, 3]);
  });
});
