import {createHash} from 'node:crypto';
import {cpSync, readdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {scratch} from '../support/scratch.ts';
import {treeOf} from '../workspace/checkpoints/support.ts';
import {sharedFettle} from './shared-process.ts';
import {place, type Place} from './support.ts';

const SESSION = 'thr_0mwsdw8us1321hcz6v3';
const RECORDED = join(import.meta.dirname, 'earlier-build');

/** A state folder as the build of 2026-11-22 wrote it (with a subagent, edits and a command that removed a file), and the folder it worked in. */
async function recorded(): Promise<Place> {
  const at = await place();
  cpSync(join(RECORDED, 'work'), at.work, {recursive: true});
  cpSync(join(RECORDED, 'home'), at.home, {recursive: true});
  const script = join(await scratch({'script.json': '{"replies":[]}'}), 'script.json');
  for (const name of readdirSync(at.home, {recursive: true, encoding: 'utf8'})) {
    const path = join(at.home, name);
    if (statSync(path).isFile() && /\.jsonl?$/.test(name))
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll('@WORK@', at.work).replaceAll('@SCRIPT@', script));
  }
  const key = createHash('sha256').update(realpathSync(at.work)).digest('hex').slice(0, 16);
  const checkpoints = join(at.home, 'state/checkpoints');
  renameSync(join(checkpoints, 'work'), join(checkpoints, `${at.work.split('/').at(-1) ?? ''}-${key}`));
  return at;
}

describe('sessions and checkpoints of an earlier build', () => {
  it('are listed, shown and exported', async () => {
    const at = await recorded();
    const listed = await sharedFettle(at, ['sessions', 'list']);
    expect([listed.code, listed.stdout, listed.stderr]).toEqual([0, `${SESSION}  2026-11-22 22:03  success       change it\n`, '']);
    for (const format of ['markdown', 'atif', 'open-responses', 'jsonl'] as const) {
      const {code, stdout} = await sharedFettle(at, ['sessions', 'export', SESSION, '--format', format]);
      const shown = stdout.replaceAll(at.work, '@WORK@').replaceAll(/script:[^"\s]*script\.json/g, 'script:@SCRIPT@');
      expect(code).toBe(0);
      await expect(shown).toMatchFileSnapshot(`earlier-build/exports/${format}.txt`);
    }
  });

  it('resume with their history', async () => {
    const at = await recorded();
    const model = join(await scratch({'script.json': JSON.stringify({replies: [{text: 'Going on.'}]})}), 'script.json');
    const {code, stdout} = await sharedFettle(at, ['exec', '--resume', SESSION, '--model', `script:${model}`, '--json', 'more']);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as {type: string; thread_id?: string; resumed?: boolean});
    expect([code, events[0]]).toEqual([0, expect.objectContaining({type: 'thread.started', thread_id: SESSION, resumed: true})]);
    const {stdout: text} = await sharedFettle(at, ['sessions', 'show', SESSION]);
    expect(text).toMatch(/change it[^]*Changed a, wrote b, removed gone\.[^]*more[^]*Going on\./);
  });

  it('replay without a difference', async () => {
    const at = await recorded();
    const {code, stdout} = await sharedFettle(at, ['sessions', 'replay', SESSION]);
    expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([
      0,
      `Session ${SESSION}: the same as recorded (1 turn, 7 requests, 7 calls run again).`,
    ]);
  });

  it('restore what their turns changed', async () => {
    const at = await recorded();
    const undo = await sharedFettle(at, ['checkpoints', 'restore', 'chk_0mwsdw8yi1lyb8fupub']);
    expect([undo.code, undo.stdout]).toEqual([0, 'a.txt\ngone.txt\nnew\nnew/b.txt\n']);
    expect(treeOf(at.work)).toEqual(treeOf(await scratch({'a.txt': 'one\ntwo\n', 'gone.txt': 'gone\n', 'x.ts': 'export const x = 1;\n'})));
  });
});
