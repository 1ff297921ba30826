import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {AgentSession, ApprovalReply} from '../../../../src/hosts/tui/host-adapter.ts';
import {call, fakeScreen, lastSent, never, opened, place} from './session-support.ts';

describe('the mode of a session', () => {
  it('Shift-Tab goes through plan, ask and accept-edits, and to full-auto only where the session was started with it', async () => {
    const at = await place([]);
    const cycle = async (flags: Record<string, string>): Promise<(string | undefined)[]> => {
      const session = await opened({settings: await at.settings(flags), port: fakeScreen()});
      return Array.from({length: 4}, () => session.nextMode?.());
    };
    expect([await cycle({'--mode': 'ask'}), await cycle({'--mode': 'full-auto', '--sandbox': 'off'})]).toEqual([
      ['accept-edits', 'plan', 'ask', 'accept-edits'],
      ['plan', 'ask', 'accept-edits', 'full-auto'],
    ]);
    const session = await opened({settings: await at.settings(), port: fakeScreen()});
    expect(await session.command('mode', 'full-auto', never)).toEqual({
      type: 'text',
      text: expect.stringContaining('A session that was not started in full-auto cannot switch to it'),
    });
  });

  it('a switch in the middle of a turn holds from the next decision on, and the model is told of plan', async () => {
    const at = await place([
      call('write', {path: 'b.txt', content: 'b'}),
      call('write', {path: 'c.txt', content: 'c'}),
      {text: 'A1'},
      call('write', {path: 'd.txt', content: 'd'}),
      {text: 'A2'},
    ]);
    const live: {session?: AgentSession} = {};
    let switched = false;
    const port = fakeScreen({
      onEvent(event) {
        if (switched || event.type !== 'item.completed' || event.item.type !== 'tool_output') return;
        switched = true;
        live.session?.nextMode?.();
      },
    });
    const session = await opened({settings: await at.settings({'--mode': 'accept-edits'}), port});
    live.session = session;
    await session.submit('go', never);
    expect([session.info.mode, ...['b.txt', 'c.txt'].map((name) => existsSync(join(at.work, name)))]).toEqual(['plan', true, false]);
    expect(port.events.flatMap((event) => (event.type === 'mode.changed' ? [`${event.from} → ${event.to}`] : []))).toEqual([
      'accept-edits → plan',
    ]);
    expect(lastSent(at.server).filter((line) => line.startsWith('user: Mode plan'))).toHaveLength(1);
    session.nextMode?.();
    session.nextMode?.();
    await session.submit('now do it', never);
    expect([existsSync(join(at.work, 'd.txt')), lastSent(at.server).filter((line) => line.includes('has left the mode plan'))]).toEqual([
      true,
      [expect.any(String)],
    ]);
  });

  it('a log may narrow the mode of a session that goes on, and never widens it', async () => {
    const at = await place([{text: 'A1'}, {text: 'A2'}]);
    const left = async (times: number): Promise<string | undefined> => {
      const session = await opened({settings: await at.settings(), port: fakeScreen()});
      await session.submit('go', never);
      for (let time = 0; time < times; time += 1) session.nextMode?.();
      await session.close();
      const again = await opened({settings: await at.settings(), port: fakeScreen(), resume: {id: session.info.sessionId ?? ''}});
      return again.info.mode;
    };
    // ask → accept-edits; ask → accept-edits → plan
    expect([await left(1), await left(2)]).toEqual(['ask', 'plan']);
  });
});

describe('questions about calls', () => {
  it('come one at a time in order; one whose turn is cancelled is taken away', async () => {
    const calls = ['b', 'c', 'd'].map((name) => ({name: 'write', arguments: {path: `${name}.txt`, content: name}}));
    const at = await place([{toolCalls: calls}, {text: 'A1'}, {toolCalls: calls.slice(1, 2)}]);
    const open: {path: string; answer: (reply: ApprovalReply) => void; signal: AbortSignal}[] = [];
    const arrivals: (() => void)[] = [];
    const arrival = (): Promise<void> => new Promise((resolve) => void arrivals.push(resolve));
    const port = fakeScreen({
      approve: ({diffs}, signal) =>
        new Promise((answer) => {
          open.push({path: diffs[0]?.path ?? '', answer, signal});
          arrivals.shift()?.();
        }),
    });
    const session = await opened({settings: await at.settings(), port});
    let next = arrival();
    const turn = session.submit('go', never);
    for (let asked = 0; asked < 3; asked += 1) {
      await next;
      next = arrival();
      expect(open).toHaveLength(1);
      const question = open.shift();
      question?.answer({decision: question.path === 'c.txt' ? 'deny' : 'once'});
    }
    expect((await turn).outcome).toBe('success');
    expect(['b', 'c', 'd'].map((name) => existsSync(join(at.work, `${name}.txt`)))).toEqual([true, false, true]);
    const stop = new AbortController();
    const second = session.submit('again', stop.signal);
    await next;
    stop.abort();
    expect([open[0]?.signal.aborted, (await second).outcome]).toEqual([true, 'cancelled']);
    const asked = port.questions.map(({subject, diffs}) => [subject.map(({text}) => text).join(''), diffs.length]);
    expect([...asked.slice(0, 3).sort(([a], [b]) => String(a).localeCompare(String(b))), ...asked.slice(3)]).toEqual([
      ['write b.txt', 1],
      ['write c.txt', 1],
      ['write d.txt', 1],
      ['write c.txt', 1],
    ]);
  });
});
