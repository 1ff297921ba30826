import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {build} from 'esbuild';
import {expect, it} from 'vitest';
import {builtinModules} from '../../scripts/builtin-modules.ts';
import {scratch} from '../support/scratch.ts';

const SOURCE = `
import {execFile} from 'node:child_process';
import {createHash} from 'node:crypto';
import {join as joined} from 'node:path';
import * as os from 'node:os';
import process from 'node:process';
import {promisify} from 'node:util';
export const run = async () => ({
  ...(await promisify(execFile)(process.execPath, ['-p', '1 + 1'])),
  digest: createHash('sha256').update('').digest('hex').slice(0, 8),
  path: joined('a', 'b'),
  eol: os.EOL,
});
`;

it('a bundle takes built-in modules as they are, and promises of a program still have both outputs', async () => {
  const folder = await scratch({'entry.ts': SOURCE});
  const {outputFiles} = await build({
    entryPoints: [join(folder, 'entry.ts')],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    plugins: [builtinModules],
  });
  const text = outputFiles[0]?.text ?? '';
  expect(text).not.toMatch(/^import\b/m);

  const file = join(folder, 'bundle.mjs');
  await writeFile(file, text);
  const {run} = (await import(pathToFileURL(file).href)) as {run: () => Promise<unknown>};
  expect(await run()).toEqual({stdout: '2\n', stderr: '', digest: 'e3b0c442', path: join('a', 'b'), eol: '\n'});
});
