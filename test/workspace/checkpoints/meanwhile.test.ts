import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {bytePath} from '../../../src/workspace/checkpoints/byte-path.ts';
import {createCheckpointer} from '../../../src/workspace/checkpoints/checkpointer.ts';
import {kept, LIMITS, never, treeOf, type Kept} from './support.ts';

function other({place, state}: Kept, session: string): ReturnType<typeof createCheckpointer> {
  const checkpointer = createCheckpointer({place, session, limits: LIMITS, ignored: false, env: {HOME: state}, isBusy: () => false});
  checkpointer.beginTurn({id: `trn_${session}`, title: session});
  return checkpointer;
}

describe('what somebody else changes while a command runs (issue 14.2: nothing lost in silence)', () => {
  it('a file that a tool of another session wrote is left and named; --force takes it, and redo brings it back', async () => {
    const at = await kept({'theirs.txt': '1', 'ours.txt': '1'});
    const [ours, theirs] = [other(at, 'thr_ours'), other(at, 'thr_theirs')];
    const command = await ours.before({paths: 'tree'}, never);
    const edit = await theirs.before({paths: [bytePath('theirs.txt')]}, never);
    writeFileSync(join(at.root, 'theirs.txt'), '2');
    await edit.finish();
    const theirId = theirs.endTurn()?.id;
    writeFileSync(join(at.root, 'ours.txt'), '2');
    await command.finish();
    const id = ours.endTurn()?.id;
    const after = treeOf(at.root);
    expect(await at.restore(id, {dryRun: true})).toMatchObject({restored: ['ours.txt'], seen: ['ours.txt']});
    const undo = await at.restore(id);
    expect([treeOf(at.root), undo.refused]).toEqual([
      {'theirs.txt': '644 2', 'ours.txt': '644 1'},
      ['theirs.txt: changed meanwhile by session thr_theirs'],
    ]);
    await at.restore(undo.id);
    expect(treeOf(at.root)).toEqual(after);
    const forced = await at.restore(id, {force: true});
    expect(treeOf(at.root)).toEqual({'theirs.txt': '644 1', 'ours.txt': '644 1'});
    await at.restore(forced.id);
    expect(treeOf(at.root)).toEqual(after);
    // What only the look of a command saw keeps nobody from undoing their own edit.
    expect((await at.restore(theirId)).refused).toEqual([]);
    expect(readFileSync(join(at.root, 'theirs.txt'), 'utf8')).toBe('1');
  });

  it('an edit by a person during a command counts as the command, is listed with its time, and redo brings it back', async () => {
    const at = await kept({'a.txt': 'old'});
    const ours = other(at, 'thr_ours');
    const edit = await ours.before({paths: [bytePath('tool.txt')]}, never);
    writeFileSync(join(at.root, 'tool.txt'), 'made');
    await edit.finish();
    const command = await ours.before({paths: 'tree'}, never);
    writeFileSync(join(at.root, 'a.txt'), 'by a person');
    await command.finish();
    const id = ours.endTurn()?.id;
    const after = treeOf(at.root);
    expect(await at.restore(id, {dryRun: true})).toMatchObject({restored: ['a.txt', 'tool.txt'], seen: ['a.txt']});
    const undo = await at.restore(id);
    expect([undo.seen, treeOf(at.root)]).toEqual([['a.txt'], {'a.txt': '644 old'}]);
    await at.restore(undo.id);
    expect(treeOf(at.root)).toEqual(after);
  });
});
