import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {call, fakeScreen, never, opened, place} from './session-support.ts';

const TASK = call('task', {description: 'look', prompt: 'Look at it', agent: 'explore'});

describe('the subagents of a session', () => {
  it('are listed, with their logs, as long as these are there', async () => {
    const at = await place([TASK, {text: 'It is there.'}, {text: 'Done.'}]);
    const settings = await at.settings();
    const {subagents, submit} = await opened({settings, port: fakeScreen()});
    await submit('go', never);
    const said = (): readonly string[] | undefined =>
      subagents
        ?.log('explore-task-1')
        ?.events.flatMap((event) => (event.type === 'item.completed' && 'text' in event.item ? [event.item.text] : []));
    expect([subagents?.list().map(({agent_id: id, status}) => `${id} ${status}`), said(), subagents?.log('nobody')]).toEqual([
      ['explore-task-1 completed'],
      ['Look at it', 'It is there.'],
      undefined,
    ]);
    await rm(join(settings.paths.stateDir, 'sessions'), {recursive: true});
    expect(said()).toBeUndefined();
  });

  it('a request that hangs is sent again, and a subagent that hangs is ended, while the turn goes on', async () => {
    const hung = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const at = await place([
      () => (hung[0]?.resolve(), {text: 'never', stallAfter: 0}),
      TASK,
      () => (hung[1]?.resolve(), {text: 'never', stallAfter: 0}),
      {text: 'Done.'},
    ]);
    const session = await opened({settings: await at.settings(), port: fakeScreen()});
    const turn = session.submit('go', never);
    await hung[0]?.promise;
    const counts = [session.retryRequest?.('nobody'), session.retryRequest?.()];
    await hung[1]?.promise;
    await session.subagents?.cancel('explore-task-1');
    expect([counts, (await turn).outcome, at.server.requests.length]).toEqual([[0, 1], 'success', 4]);
    expect(session.subagents?.list().map(({status}) => status)).toEqual(['closed']);
  });
});
