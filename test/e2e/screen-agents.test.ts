import {describe, expect, it} from 'vitest';
import type {ReceivedRequest, ScriptedAnswer} from '../../src/testing/index.ts';
import {realScreen, type RealScreen} from './screen-support.ts';
import {modelServer, place} from './support.ts';

type Answer = ScriptedAnswer | (() => ScriptedAnswer | Promise<ScriptedAnswer>);

const ALT_A = '\x1ba';
const spawn = (agent: string, message: string): ScriptedAnswer => ({
  toolCalls: [{name: 'agents', arguments: {action: 'spawn', agent, message}}],
});
const WAIT: ScriptedAnswer = {toolCalls: [{name: 'agents', arguments: {action: 'wait'}}]};

/** Answers each conversation from its own script: that of the thread, and those of subagents, by the first word of their task. */
function answering(scripts: Readonly<Record<string, readonly Answer[]>>): (request: ReceivedRequest) => Promise<ScriptedAnswer> {
  const taken = new Map<string, number>();
  return async ({body}) => {
    const messages = (body['messages'] ?? []) as readonly {role: string; content: string}[];
    const isChild = messages[0]?.content.includes('End with a report') === true;
    const first = messages.find(({role}) => role === 'user')?.content ?? '';
    const key = isChild ? (Object.keys(scripts).find((name) => first.startsWith(name)) ?? '') : 'thread';
    const count = taken.get(key) ?? 0;
    taken.set(key, count + 1);
    const answer = scripts[key]?.[count];
    if (answer === undefined) throw new Error(`no answer ${count + 1} for ${key}: ${first}`);
    return typeof answer === 'function' ? await answer() : answer;
  };
}

/** A key that comes too soon is no answer to a question: it is pressed until it is one. */
async function pressUntil(screen: RealScreen, key: string, {while: asked, shows}: {while: RegExp; shows: RegExp}): Promise<void> {
  await expect
    .poll(
      () => {
        if (asked.test(screen.screen())) screen.type(key);
        return screen.screen();
      },
      {interval: 600, timeout: 20_000},
    )
    .toMatch(shows);
}

describe('subagents on the screen', () => {
  it(
    'two are looked into while they work, one asks and is answered there; a resumed session opens them again',
    {timeout: 60_000},
    async () => {
      const [gate, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const bash = {toolCalls: [{name: 'bash', arguments: {command: 'touch made.txt'}}]};
      const read = {toolCalls: [{name: 'read', arguments: {path: 'a.txt'}}]};
      const answer = answering({
        thread: [spawn('worker', 'ALPHA: make it'), spawn('explore', 'BETA: find it'), WAIT, {text: 'All of it is done.'}],
        ALPHA: [async () => (await begun.promise, bash), {text: 'Alpha has made it.'}],
        BETA: [() => (begun.resolve(), read), async () => (await gate.promise, {text: 'Beta has found it.'})],
      });
      const {config} = await modelServer(Array.from({length: 20}, () => answer));
      const at = await place({'a.txt': 'a\n'}, config);
      const screen = realScreen(at);
      await screen.shows('Type a task');
      screen.type('do it\r');
      await screen.shows('worker-1 asks: allow this command?');
      screen.type(ALT_A);
      await screen.shows(/◌ worker-1 · waits for approval[^]*Run touch made\.txt[^]*worker-1 asks: allow this command\?/);
      await pressUntil(screen, 'y', {
        while: /Yes, once/,
        shows: /◌ worker-1 · done[^]*› ALPHA: make it[^]*Run touch made\.txt[^]*Alpha has made it\.[^]*1\/2 · Tab next/,
      });
      screen.type('\t');
      await screen.shows(/◌ explore-1 · running[^]*› BETA: find it/);
      gate.resolve();
      await screen.shows(/◌ explore-1 · done[^]*Beta has found it\.[^]*2\/2 · Tab next/);
      screen.type('\x1b');
      await screen.shows('All of it is done.');
      screen.type('\x04');
      expect(await screen.ended).toBe(0);
      const [, id = ''] = /--resume (\S+)/.exec(screen.screen()) ?? [];

      const second = realScreen(at, {args: ['--resume', id]});
      await second.shows('Resumed');
      second.type('/agents worker-1\r');
      await second.shows(/◌ worker-1 · done · 2 requests · 1 call[^]*› ALPHA: make it[^]*Run touch made\.txt[^]*Alpha has made it\./);
      second.type('\x1b');
      await second.shows('Type a task');
      second.type('\x04');
      expect(await second.ended).toBe(0);
    },
  );

  it('a stream that hangs is asked for again by a key; the turn goes on', {timeout: 60_000}, async () => {
    const {config, requests} = await modelServer([{text: 'I begin to look at it', stallAfter: 4}, {text: 'It is whole.'}]);
    const screen = realScreen(await place({'a.txt': 'a\n'}, config));
    await screen.shows('Type a task');
    screen.type('look\r');
    await screen.shows(/No data for \d+ s · Alt-R retries/);
    screen.type('\x1br');
    await screen.shows(/The request was aborted to be retried\. Trying again now\.[^]*It is whole\./);
    expect(requests).toHaveLength(2);
    screen.type('\x04');
    expect(await screen.ended).toBe(0);
  });
});
