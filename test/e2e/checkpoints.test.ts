import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {treeOf} from '../workspace/checkpoints/support.ts';
import {bash, edit, listed, scripted} from './checkpoints-support.ts';
import {sharedFettle} from './shared-process.ts';
import {place} from './support.ts';

describe('fettle checkpoints (design 6)', () => {
  it('list, diff, restore, and the restore restored', async () => {
    const at = await place({'a.txt': 'one\n', 'b.txt': 'gone soon\n'});
    const before = treeOf(at.work);
    const model = await scripted([{toolCalls: [edit('a.txt', 'one', 'two')]}, {toolCalls: [bash('rm b.txt; mkdir new')]}, {text: 'Done.'}]);
    expect((await sharedFettle(at, ['exec', ...model, 'change it'])).code).toBe(0);
    const after = treeOf(at.work);
    const [done] = await listed(at);
    expect(done).toMatchObject({kind: 'turn', state: 'done', changed: ['a.txt', 'b.txt', 'new'], notes: []});
    const diff = await sharedFettle(at, ['checkpoints', 'diff', done?.id ?? '', 'a.txt']);
    expect(diff.stdout).toBe('--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n');
    const dry = await sharedFettle(at, ['checkpoints', 'restore', '--dry-run', done?.id ?? '']);
    const said = dry.stderr.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME');
    const seen = ['b.txt', 'new'].map((path) => `changed while a command ran, until TIME: ${path}\n`).join('');
    expect([dry.code, dry.stdout, said, treeOf(at.work)]).toEqual([0, 'a.txt\nb.txt\nnew\n', `${seen}Would restore 3 entries.\n`, after]);
    const undo = await sharedFettle(at, ['checkpoints', 'restore', done?.id ?? '']);
    expect([undo.code, undo.stdout, treeOf(at.work)]).toEqual([0, 'a.txt\nb.txt\nnew\n', before]);
    const [redo, undone] = await listed(at);
    expect([redo?.state, undone?.state]).toEqual(['redo', 'undone']);
    await sharedFettle(at, ['checkpoints', 'restore', redo?.id ?? '']);
    expect(treeOf(at.work)).toEqual(after);
    expect((await listed(at)).map(({kind, state}) => `${kind} ${state}`)).toEqual(['restore done', 'restore done', 'turn done']);
  });

  it('list names what a checkpoint does not bring back (design 1, promise 2)', async () => {
    const at = await place({'.gitignore': '*.bin\n.env\n', 'big.bin': 'x'.repeat(2_000_000), '.env': 'A=1\n'});
    const model = await scripted([{toolCalls: [bash('git init -q; git clean -fdX')]}, {text: 'Done.'}]);
    expect((await sharedFettle(at, ['exec', ...model, 'tidy up'])).code).toBe(0);
    const {stdout} = await sharedFettle(at, ['checkpoints', 'list']);
    const [line = '', ...notes] = stdout.trimEnd().split('\n');
    expect([line.endsWith('tidy up'), notes.filter((note) => /^ {2}.*big\.bin/.test(note)).length]).toEqual([true, 1]);
    await sharedFettle(at, ['checkpoints', 'restore', (await listed(at))[0]?.id ?? '']);
    expect(readFileSync(join(at.work, '.env'), 'utf8')).toBe('A=1\n');
  });

  it('what a person changed since stays, is named, and makes the exit code 1; --force replaces it', async () => {
    const at = await place({'a.txt': 'one\n'});
    await sharedFettle(at, ['exec', ...(await scripted([{toolCalls: [edit('a.txt', 'one', 'two')]}, {text: 'Done.'}])), 'go']);
    writeFileSync(join(at.work, 'a.txt'), 'mine\n');
    const id = (await listed(at))[0]?.id ?? '';
    const refused = await sharedFettle(at, ['checkpoints', 'restore', id]);
    expect([refused.code, refused.stdout, readFileSync(join(at.work, 'a.txt'), 'utf8')]).toEqual([1, '', 'mine\n']);
    expect(refused.stderr).toContain('left as it is: a.txt (changed since by somebody else)');
    const forced = await sharedFettle(at, ['checkpoints', 'restore', '--force', id]);
    expect([forced.code, readFileSync(join(at.work, 'a.txt'), 'utf8')]).toEqual([0, 'one\n']);
  });

  it('--both takes the conversation back too: a resumed session knows nothing of the turn', async () => {
    const at = await place({'a.txt': 'one\n'});
    await sharedFettle(at, ['exec', ...(await scripted([{text: 'Hello.'}])), 'remember: mango']);
    await sharedFettle(at, [
      'exec',
      '--last',
      ...(await scripted([{toolCalls: [edit('a.txt', 'one', 'two')]}, {text: 'Done.'}])),
      'forget: papaya',
    ]);
    const id = (await listed(at))[0]?.id ?? '';
    const undo = await sharedFettle(at, ['checkpoints', 'restore', '--both', id]);
    expect([undo.code, readFileSync(join(at.work, 'a.txt'), 'utf8')]).toEqual([0, 'one\n']);
    const seen = await sharedFettle(at, ['exec', '--last', '--json', ...(await scripted([{text: 'Went on.', expect: 'third'}])), 'third']);
    expect([seen.code, seen.stdout.includes('papaya')]).toEqual([0, false]);
    const log =
      readdirSync(join(at.home, 'state/sessions'), {recursive: true, encoding: 'utf8'}).find((name) => name.endsWith('.jsonl')) ?? '';
    expect(readFileSync(join(at.home, 'state/sessions', log), 'utf8')).toContain('papaya');
  });

  it('what cannot be kept is said and done; with checkpoints.keep = "required" it is not done', async () => {
    const replies = [{toolCalls: [edit('a.txt', 'one', 'two')]}, {text: 'Done.'}];
    const at = await place({'a.txt': 'one\n'});
    mkdirSync(join(at.home, 'state'));
    writeFileSync(join(at.home, 'state/checkpoints'), 'in the way');
    const run = await sharedFettle(at, ['exec', ...(await scripted(replies)), 'go']);
    expect([run.code, readFileSync(join(at.work, 'a.txt'), 'utf8')]).toEqual([0, 'two\n']);
    expect(run.stderr).toContain('undo: A change cannot be undone:');

    const strict = await place({'a.txt': 'one\n'}, '[checkpoints]\nkeep = "required"\n');
    mkdirSync(join(strict.home, 'state'));
    writeFileSync(join(strict.home, 'state/checkpoints'), 'in the way');
    const stopped = await sharedFettle(strict, ['exec', ...(await scripted(replies)), 'go']);
    expect(readFileSync(join(strict.work, 'a.txt'), 'utf8')).toBe('one\n');
    expect(stopped.stderr).toContain('Not done, because it could not be undone');
  });

  it('with keep = "off" nothing is kept', async () => {
    const at = await place({'a.txt': 'one\n'}, '[checkpoints]\nkeep = "off"\n');
    await sharedFettle(at, ['exec', ...(await scripted([{toolCalls: [edit('a.txt', 'one', 'two')]}, {text: 'Done.'}])), 'go']);
    expect([readFileSync(join(at.work, 'a.txt'), 'utf8'), readdirSync(join(at.home, 'state')).includes('checkpoints')]).toEqual([
      'two\n',
      false,
    ]);
  });

  it('where the workspace is the home folder commands are not covered, which is said; file tools are', async () => {
    const at = await place({'a.txt': 'one\n', 'b.txt': '1'});
    const home = {...at, env: {...at.env, HOME: at.work}};
    const model = await scripted([{toolCalls: [edit('a.txt', 'one', 'two')]}, {toolCalls: [bash('rm b.txt')]}, {text: 'Done.'}]);
    await sharedFettle(home, ['exec', ...model, 'go']);
    const [done] = await listed(home);
    expect([done?.changed, done?.notes]).toEqual([
      ['a.txt'],
      ['What commands change is not covered: the workspace holds the home folder; start in a project.'],
    ]);
  });

  it.each([
    [['checkpoints', 'restore', 'nothing'], 2, 'There is no checkpoint nothing of this folder.'],
    [['checkpoints', 'restore', 'x', '--files', '--both'], 2, '--files, --conversation and --both exclude each other.'],
    [['checkpoints', 'restore', 'x', 'a', '--both'], 2, 'Single files can be restored without the conversation only.'],
    [['checkpoints', 'diff', 'x', '../a'], 1, '../a is outside of'],
  ])('%s', async (args, code, message) => {
    const run = await sharedFettle(await place(), args);
    expect([run.code, run.stdout]).toEqual([code, '']);
    expect(run.stderr).toContain(message);
  });
});
