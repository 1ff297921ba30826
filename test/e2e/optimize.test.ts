import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {openLedger} from '../../src/optimization/ledger/ledger.ts';
import {scratch} from '../support/scratch.ts';
import {onPty} from '../support/pty.ts';
import {fettle, LAUNCHER, modelServer, place} from './support.ts';

/** Writes the path of each file of code that a process loads to LOADED when it ends. */
const RECORDER = `
import {writeFileSync} from 'node:fs';
import {registerHooks} from 'node:module';
import {fileURLToPath} from 'node:url';
const loaded = [];
registerHooks({load(url, context, next) {
  if (url.startsWith('file:')) loaded.push(fileURLToPath(url));
  return next(url, context);
}});
process.on('exit', () => writeFileSync(process.env.LOADED, JSON.stringify(loaded)));
`;

/** The files of the built command that a call loads and that hold code of the optimization. */
async function loadedOptimization(args: readonly string[], config: string): Promise<{code: number | null; files: number; of: number}> {
  const at = await place({}, config);
  const folder = await scratch({'recorder.mjs': RECORDER});
  const env = {...at.env, NODE_OPTIONS: `--import=${join(folder, 'recorder.mjs')}`, LOADED: join(folder, 'loaded.json')};
  const {code} = await fettle({...at, env}, args);
  const paths = JSON.parse(await readFile(env.LOADED, 'utf8')) as string[];
  const texts = await Promise.all(paths.filter((path) => !path.endsWith('recorder.mjs')).map((path) => readFile(path, 'utf8')));
  return {
    code,
    files: texts.filter((text) => /choices_by_episode|exploration_epsilon: epsilon|so far: /.test(text)).length,
    of: texts.length,
  };
}

describe('with [optimization] off (the default)', () => {
  it('nothing of it is loaded by a run', async () => {
    const server = await modelServer([{toolCalls: [{name: 'glob', arguments: {pattern: '*'}}]}, {text: 'Done.'}]);
    const {code, files, of} = await loadedOptimization(['exec', 'Do it.'], server.config);
    expect([code, files]).toEqual([0, 0]);
    expect(of).toBeGreaterThan(2);
  });

  it('it is found by this test where it is loaded', async () => {
    expect((await loadedOptimization(['optimize', 'show'], '')).files).toBeGreaterThan(0);
  });
});

describe('fettle optimize', () => {
  it('explains, and asks before it forgets', async () => {
    const at = await place();
    const ledger = openLedger(join(at.home, 'state'));
    ledger.addOutcome({signal: {action: 'a', success: true}, of: {decision: 'model'}});
    ledger.close();
    expect((await fettle(at, ['optimize', 'show', '--json'])).stdout).toContain('"action": "a"');
    const answered = async (keys: string): Promise<number> => {
      const terminal = onPty(process.execPath, [LAUNCHER, 'optimize', 'reset'], {cwd: at.work, env: at.env});
      await terminal.until(/Forget everything that was learned\? \[y\/N\] /);
      terminal.type(keys);
      return (await terminal.ended).code;
    };
    expect([await answered('\r'), (await fettle(at, ['optimize', 'explain'])).code]).toEqual([3, 0]);
    expect([await answered('y\r'), (await fettle(at, ['optimize', 'explain'])).code]).toEqual([0, 1]);
  });
});
