import {describe, expect, it} from 'vitest';
import {exportSession} from '../../../src/sessions/export/export-session.ts';
import {loadLog} from '../../../src/sessions/log-reader.ts';
import {createFrameRecord} from '../../../src/agent/frame-record.ts';
import type {ThreadFrame} from '../../../src/protocol/events.ts';
import {check} from '../../checks/atif-check.mjs';
import {call, delegationRig} from '../delegation-support.ts';

interface Atif {
  readonly agent: {readonly tool_definitions: unknown; readonly extra: {readonly profile?: string}};
  readonly steps: readonly {readonly source: string; readonly message: string}[];
  readonly subagent_trajectories: readonly Atif[];
}

interface Body {
  readonly messages: readonly {readonly role: string; readonly content: string}[];
  readonly tools?: unknown;
}

const REPORT = '## Summary\nFound.';
const TASK = {toolCalls: [{name: 'task', arguments: {agent: 'explore', task: 'ALPHA: where is it?'}}]};

describe('the log holds what every request has in common (issue 14 › traces)', () => {
  it('ATIF has the prompt and the tools that were sent, of the thread and of its subagent; hosts are not told', async () => {
    const rig = await delegationRig(
      {parent: [TASK, {text: 'Done.'}], children: {ALPHA: [call('read', {path: 'a.txt'}), {text: REPORT}]}},
      {'a.txt': 'x\n'},
    );
    const {thread, events, run} = await rig.open({flags: {'--toolset': 'vibe'}});
    await thread.close(await run('Go.'));
    const atif = JSON.parse(await exportSession(thread.sessionFile, 'atif')) as Atif;
    expect(check(atif)).toEqual([]);
    const [parent, child] = rig.asked.map(({body}) => body as unknown as Body);
    const given = (body: Body | undefined) => [body?.tools, body?.messages[0]];
    const kept = ({agent, steps: [first]}: Atif) => [agent.tool_definitions, {role: first?.source, content: first?.message}];
    const [subagent] = atif.subagent_trajectories;
    expect([kept(atif), subagent === undefined ? [] : kept(subagent)]).toEqual([given(parent), given(child)]);
    expect(subagent?.agent.extra.profile).toBe('explore');
    expect(events.some((event) => event.type === 'thread.frame')).toBe(false);
  });

  it('a frame is written once for an opened thread, however many requests it makes', async () => {
    const parent = [call('read', {path: 'a.txt'}), call('read', {path: 'b.txt'}), {text: 'Done.'}];
    const rig = await delegationRig({parent}, {'a.txt': 'x\n', 'b.txt': 'y\n'});
    const {thread, run} = await rig.open();
    await thread.close(await run('Go.'));
    const {events} = await loadLog(thread.sessionFile);
    expect(events.filter(({event}) => event.type === 'thread.frame')).toHaveLength(1);
    expect(rig.asked).toHaveLength(3);
  });

  it('it is written again when the prompt or the tools change, and bounded', () => {
    const frames: ThreadFrame[] = [];
    const record = createFrameRecord((frame) => void frames.push(frame));
    const tool = (name: string, size = 0) => ({name, description: 'd', parameters: {type: 'object', description: 'x'.repeat(size)}});
    record({system: 'A', tools: [tool('a')]});
    record({system: 'A', tools: [tool('a')]});
    record({system: 'A', tools: [tool('a'), tool('b')]});
    record({system: 'B'.repeat(1_000_000), tools: [tool('huge', 2_000_000), tool('a')]});
    expect(frames.map(({system, tools, shortened_tools: cut}) => [system.length, tools.map(({name}) => name), cut])).toEqual([
      [1, ['a'], undefined],
      [1, ['a', 'b'], undefined],
      [512 * 1024 + 1, ['huge', 'a'], 1],
    ]);
    expect(frames[2]?.tools).toEqual([{name: 'huge', description: 'd', parameters: {type: 'object'}}, tool('a')]);
  });
});
