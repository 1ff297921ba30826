import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {findCheckpoints} from '../../../src/workspace/checkpoints/read-checkpoints.ts';
import {openedBelow} from '../../support/opened-files.ts';
import {kept, type Kept} from './support.ts';

async function manyTurns(count: number): Promise<{readonly at: Kept; readonly ids: readonly string[]}> {
  const at = await kept({f: ''});
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await at.turn(['f'], () => writeFileSync(join(at.root, 'f'), String(n))))?.id ?? '');
  return {at, ids};
}

describe('findCheckpoints', () => {
  it('of thousands reads the record that is asked for alone', async () => {
    const {at, ids} = await manyTurns(20);
    const opened = openedBelow(at.place.turns);
    const [first = ''] = ids;
    expect(findCheckpoints(at.place, first).map(({id, title}) => [id, title])).toEqual([[first, 'turn 1']]);
    expect(opened.filter((file) => file !== `${first}.open`)).toEqual([`${first}.jsonl`]);
  });

  it('takes the beginning of an id, with and without chk_, and tells of all that fit', async () => {
    const {at, ids} = await manyTurns(3);
    const found = (id: string): readonly string[] => findCheckpoints(at.place, id).map((one) => one.id);
    expect([found('chk_'), found(ids[1]?.slice(4) ?? ''), found('chk_x'), found('')]).toEqual([ids, [ids[1]], [], []]);
  });

  it('what is no id is no path either', async () => {
    const {at} = await manyTurns(1);
    writeFileSync(join(at.state, 'outside.jsonl'), 'not a record');
    const opened = openedBelow(at.state);
    expect([findCheckpoints(at.place, '../../../outside'), opened]).toEqual([[], []]);
  });
});
