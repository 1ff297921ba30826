import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import * as fc from 'fast-check';
import {describe, expect, it, vi} from 'vitest';
import {createChildRecord} from '../../../src/agent/delegation/child-record.ts';
import {createInputRecord} from '../../../src/agent/input-record.ts';
import {createSessionMemory} from '../../../src/context/memory/session-memory.ts';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import {createHistory, type History} from '../../../src/sessions/history.ts';
import {encodeLine} from '../../../src/sessions/log-line.ts';
import {resumeLog} from '../../../src/sessions/resume/resume-log.ts';
import {scratch} from '../../support/scratch.ts';
import {answered, callCompleted, callStarted, compacted, logged, output, started, turnStarted, user} from '../events.ts';
import {anySteps, eventsOf, pointsOf, type Step} from './long-log.ts';

/** Whatever the tests write is long for these. */
const LAZY = {whole: 600, newest: 1500, apart: 1};
const SIZES = [undefined, LAZY, {whole: 4000, newest: 3000, apart: 500}];

async function fileOf(events: readonly ThreadEvent[]): Promise<string> {
  const file = join(await scratch(), 'log.jsonl');
  await writeFile(file, logged(events).map(encodeLine).join(''));
  return file;
}

interface Known {
  readonly apply: (event: ThreadEvent) => void;
  readonly state: () => unknown;
}

/** What goes on after a session was resumed: everything that takes events. */
function known(history: History, [memory, inputs, agents] = observers()): Known {
  return {
    apply: (event) => {
      history.apply(event);
      for (const one of [memory, inputs, agents]) one.observe(event);
    },
    state: () => ({
      messages: history.messages(),
      items: history.items(),
      memory: memory.envelope(),
      waiting: inputs.waiting(),
      agents: agents.all(),
    }),
  };
}

const observers = () => [createSessionMemory('thr_1'), createInputRecord(), createChildRecord()] as const;

async function resumed(file: string, sizes: (typeof SIZES)[number]): Promise<Known & {history: History; todos: unknown; first: unknown}> {
  const all = observers();
  const {history, todos, started: first} = await resumeLog(file, (event) => all.forEach((one) => one.observe(event)), sizes);
  return {...known(history, all), history, todos, first};
}

function replayed(events: readonly ThreadEvent[]): Known & {history: History} {
  const history = createHistory();
  const all = known(history);
  for (const event of events) all.apply(event);
  return {...all, history};
}

/** Resumed, and gone on with, in every way, against a log that was read as a whole. `which` chooses where it goes back to. */
async function compare(steps: readonly Step[], which: number): Promise<void> {
  const events = eventsOf(steps);
  const file = await fileOf(events);
  const points = pointsOf(events);
  const list = events.findLast((event) => event.type === 'item.completed' && event.item.type === 'todo_list');
  const tasks = list?.type === 'item.completed' && list.item.type === 'todo_list' ? list.item.items : [];
  for (const sizes of SIZES) {
    const [ours, theirs] = [await resumed(file, sizes), replayed(events)];
    expect([ours.todos, ours.first]).toEqual([tasks, started()]);
    expect(points.map(ours.history.reaches)).toEqual(points.map(theirs.history.reaches));
    expect(ours.history.newest()).toEqual(theirs.history.messages().slice(-ours.history.newest().length || Infinity));
    const to = points.filter(theirs.history.reaches).at(which % 7) ?? 'nowhere';
    const later: ThreadEvent[] = [
      turnStarted('later'),
      user('And now?'),
      {type: 'thread.rewound', thread_id: 'thr_1', to, checkpoint_id: 'chk_later'},
      user('Once more.'),
      compacted([{role: 'user', text: 'Shortened.'} as {role: 'user'}]),
      {type: 'thread.rewound', thread_id: 'thr_1', to: 'chk_later', checkpoint_id: 'chk_last'},
    ];
    if (which % 2 === 0) expect(ours.state()).toEqual(theirs.state());
    for (const event of later) {
      ours.apply(event);
      theirs.apply(event);
      if (which % 3 !== 2) expect(ours.state()).toEqual(theirs.state());
    }
    expect(ours.state()).toEqual(theirs.state());
  }
}

const [compaction, turn, reply, question, answer, change, back] = [
  {kind: 'compaction'},
  {kind: 'turn'},
  {kind: 'reply'},
  {kind: 'question'},
  {kind: 'answer'},
  {kind: 'change', which: 1},
  {kind: 'rewinding', which: 0},
] as const;

describe('a resumed log (VT Code architecture › resume restores everything)', () => {
  it('gives the conversation, memory, inputs and tasks that reading all of it gives, and goes on like it (property)', async () => {
    await fc.assert(fc.asyncProperty(anySteps, fc.nat(), compare), {numRuns: 60});
  });

  it.each<{what: string; steps: readonly Step[]}>([
    {
      what: 'a turn after a rewinding that went back behind a compaction',
      steps: [compaction, reply, turn, reply, compaction, back, turn, reply, compaction],
    },
    {
      what: 'compactions whose memory is of another version',
      steps: [turn, change, {kind: 'strange compaction'}, turn, {kind: 'strange compaction'}, reply],
    },
    {
      what: 'an input that was applied long ago, and one that was not',
      steps: [question, question, answer, compaction, turn, compaction, reply],
    },
    {what: 'tasks that were written long ago', steps: [change, compaction, turn, compaction, turn, compaction]},
  ])('knows $what', async ({steps}) => {
    for (let which = 0; which < 7; which += 1) await compare(steps, which);
  });

  it('skips broken lines, and says which: also one that is broken inside', async () => {
    const lines = logged([started(), user('One.'), user('Two.'), user('Three.')]).map(encodeLine);
    const file = join(await scratch(), 'log.jsonl');
    const inside = (lines[2] ?? '').replace('"Two."', '"Two"."');
    await writeFile(file, [lines[0], 'rubbish\n', lines[1], inside, lines[3]].join(''));
    const {history, report} = await resumeLog(file, () => undefined);
    expect(history.messages()).toEqual(['One.', 'Three.'].map((said) => ({role: 'user', text: said})));
    expect(report.broken).toEqual([
      {line: 2, reason: 'not JSON'},
      {line: 4, reason: 'not JSON'},
    ]);
  });
});

/** 1,000 reads; a compaction after every `compactEvery` of them. */
function reads(compactEvery: number): readonly ThreadEvent[] {
  const boundary = {...compacted([{role: 'user', text: 'S'} as {role: 'user'}]), memory: createSessionMemory('thr_1').envelope()};
  return [
    started(),
    turnStarted(),
    user('Read.'),
    ...Array.from({length: 1000}, (_, n) => [
      callStarted(`r${n}`, {id: `c${n}`}),
      answered(`r${n}`),
      callCompleted(`r${n}`, {id: `c${n}`}),
      output(`r${n}`, {id: `c${n}`}, 'line\n'.repeat(100)),
      ...((n + 1) % compactEvery === 0 ? [boundary as ThreadEvent] : []),
    ]).flat(),
  ];
}

describe('what resuming costs', () => {
  it.each([
    {what: 'a log with compactions: what they replaced is not parsed', compactEvery: 50, sizes: undefined, most: 450},
    {what: 'a log without any: only its end is parsed', compactEvery: Infinity, sizes: {whole: 1e5, newest: 5e4, apart: 1e4}, most: 350},
  ])('$what', async ({compactEvery, sizes, most}) => {
    const events = reads(compactEvery);
    const file = await fileOf(events);
    const parse = vi.spyOn(JSON, 'parse');
    const {history} = await resumeLog(file, () => undefined, sizes);
    const parsed = parse.mock.calls.length;
    parse.mockRestore();
    expect({parsed, some: parsed > 0, few: parsed < most, items: history.items()}).toEqual({parsed, some: true, few: true, items: 2001});
    expect(history.messages()).toEqual(replayed(events).history.messages());
  });

  it('the rest of a very long conversation is counted, and read when it is asked for', async () => {
    const file = await fileOf(reads(Infinity));
    const {history} = await resumeLog(file, () => undefined, {whole: 1e5, newest: 5e4, apart: 1e4});
    expect([history.hasUnread(), history.count(), history.newest().length < 200]).toEqual([true, 2001, true]);
    expect([history.messages().length, history.hasUnread(), history.count()]).toEqual([2001, false, 2001]);
  });
});
