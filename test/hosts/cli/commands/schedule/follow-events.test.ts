import {appendFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {followEvents} from '../../../../../src/hosts/cli/commands/schedule/follow-events.ts';
import {scratch} from '../../../../support/scratch.ts';

it('events of a run that goes on: each once and whole; what is none is left out', async () => {
  const file = join(await scratch(), 'events.jsonl');
  const seen: string[] = [];
  const follow = followEvents(file, ({type}) => void seen.push(type));
  const error = JSON.stringify({type: 'error', message: 'é'});
  appendFileSync(file, `${error}\nnot json\n{"type":"of.a.later.version"}\n{"type":"error"}\n${error.slice(0, 30)}`);
  await expect.poll(() => seen).toEqual(['error']);
  appendFileSync(file, `${error.slice(30)}\n${error}\n`);
  follow.end();
  expect(seen).toEqual(['error', 'error', 'error']);
});

it('a run that never begins has none', async () => {
  const follow = followEvents(join(await scratch(), 'none'), () => expect.unreachable());
  follow.end();
});
