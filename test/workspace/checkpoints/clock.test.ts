import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it, onTestFinished, vi} from 'vitest';
import {kept} from './support.ts';

it('a clock that is set back does not change the order: list, undo and redo follow the log (issue 14.2)', async () => {
  vi.useFakeTimers({toFake: ['Date'], now: Date.parse('2030-01-01T00:00:00Z')});
  onTestFinished(() => void vi.useRealTimers());
  const at = await kept({'a.txt': '0'});
  const write = (text: string) => () => writeFileSync(join(at.root, 'a.txt'), text);
  const first = await at.turn(['a.txt'], write('1'));
  vi.setSystemTime(Date.parse('2020-01-01T00:00:00Z'));
  const second = await at.turn(['a.txt'], write('2'));
  const third = await at.turn('tree', write('3'));
  const undo = await at.restore(second?.id);
  expect([at.list().map(({id}) => id), readFileSync(join(at.root, 'a.txt'), 'utf8')]).toEqual([
    [first?.id, second?.id, third?.id, undo.id],
    '1',
  ]);
});
