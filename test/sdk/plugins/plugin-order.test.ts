import {describe, expect, it} from 'vitest';
import {closePlugins, endJudgesOf, foldPromptJudges, foldRequest} from '../../../src/sdk/plugins/fold-plugins.ts';
import {inOrder} from '../../../src/sdk/plugins/plugin-order.ts';
import type {ThreadPlugin} from '../../../src/sdk/plugins/thread-plugin.ts';

const {signal} = new AbortController();
const named = (name: string): ThreadPlugin => ({name});
const CHILD = {
  log: named('log'),
  history: named('history'),
  instructions: named('instructions'),
  contextWindow: named('context window'),
  memory: named('memory'),
  host: named('host'),
};

describe('the order of plugins', () => {
  it('of a thread: what precedes an event, log, history, those who judge and wrap, an embedder, then what is kept and shown', () => {
    const order = inOrder({
      ...CHILD,
      findings: named('findings'),
      checkpoints: named('checkpoints'),
      resultCache: named('result cache'),
      delegation: named('delegation'),
      answerSchema: named('answer schema'),
      asides: named('asides'),
      hooks: named('hooks'),
      verification: named('verification'),
      orchestration: named('orchestration'),
      planReminder: named('plan reminder'),
      calls: named('calls'),
      hookNotices: named('hook notices'),
      embedder: [named('mine'), named('yours')],
      traces: named('traces'),
    });
    expect(order.map(({name}) => name)).toEqual([
      'findings',
      'checkpoints',
      'log',
      'result cache',
      'history',
      'delegation',
      'answer schema',
      'asides',
      'hooks',
      'verification',
      'orchestration',
      'instructions',
      'plan reminder',
      'context window',
      'calls',
      'hook notices',
      'mine',
      'yours',
      'memory',
      'traces',
      'host',
    ]);
  });

  it('of a subagent: the same without those that it lacks, and at last its thread', () => {
    const order = inOrder({...CHILD, thread: named('thread')});
    expect(order.map(({name}) => name)).toEqual(['log', 'history', 'instructions', 'context window', 'memory', 'host', 'thread']);
  });
});

describe('what plugins have a say in', () => {
  it('a request: the first of the list is the outermost', async () => {
    const said: string[] = [];
    const wrapping = (name: string): ThreadPlugin => ({
      name,
      wrapRequest: (inner) => async (until) => {
        said.push(name);
        return await inner(until);
      },
    });
    const request = foldRequest([wrapping('a'), named('b'), wrapping('c')], async () => ({system: '', messages: [], tools: []}));
    await request(signal);
    expect(said).toEqual(['a', 'c']);
  });

  it('a prompt: the last is asked first, the first stands in front, and where one refuses the others are not asked', async () => {
    const asked: string[] = [];
    const judging = (name: string, refused?: string): ThreadPlugin => ({
      name,
      async judgePrompt() {
        asked.push(name);
        return refused === undefined ? {context: [name]} : {refused};
      },
    });
    const prompt = {text: 'x', turnId: 't'};
    const allowed = await foldPromptJudges([judging('a'), named('b'), judging('c')])(prompt, signal);
    const refused = await foldPromptJudges([judging('d'), judging('e', 'no')])(prompt, signal);
    expect([allowed, refused, asked]).toEqual([{context: ['a', 'c']}, {refused: 'no'}, ['c', 'a', 'e']]);
  });

  it('an answer: in the order of the list', () => {
    const judgeEnd = async (): Promise<undefined> => undefined;
    const other = async (): Promise<undefined> => undefined;
    expect(endJudgesOf([{name: 'a', judgeEnd}, named('b'), {name: 'c', judgeEnd: other}])).toEqual([judgeEnd, other]);
  });

  it('the end: all are closed, also where one throws, and what it threw is returned', async () => {
    const closed: string[] = [];
    const failure = new Error('no');
    const thrown = await closePlugins(
      [
        {
          name: 'a',
          close() {
            closed.push('a');
            throw failure;
          },
        },
        {name: 'b', close: () => void closed.push('b')},
      ],
      undefined,
    );
    expect([closed, thrown]).toEqual([['a', 'b'], [failure]]);
  });
});
