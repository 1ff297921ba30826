import {describe, expect, it, onTestFinished} from 'vitest';
import {createContextWindow} from '../../src/context/compaction/context-window.ts';
import {createRecallIndex} from '../../src/context/memory/recall-index.ts';
import {createSessionMemory} from '../../src/context/memory/session-memory.ts';
import type {ModelEvent, ModelRequest, Provider} from '../../src/models/provider.ts';
import type {ThreadEvent} from '../../src/protocol/events.ts';
import type {Message} from '../../src/protocol/messages.ts';
import {createHistory} from '../../src/sessions/history.ts';
import {createLogItems} from '../../src/sessions/log-items.ts';
import {searchItems} from '../../src/sessions/search-items.ts';
import {createSession} from '../../src/sessions/session-store.ts';
import {done, text} from '../agent/support.ts';
import {scratch} from '../support/scratch.ts';
import {IS_THOROUGH} from '../support/thorough.ts';

const TURNS = 400;

/** What stands in a file, how somebody asks for it hundreds of turns later, and the part of it that answers. */
const FACTS: readonly (readonly [said: string, question: string, answer: string])[] = [
  ['The billing gateway listens on port 7431.', 'Which port does the gateway for billing use?', '7431'],
  ['Retries of the mailer stop after 17 attempts.', 'After how many attempts does the mailer stop to retry?', '17 attempts'],
  ['const SESSION_TTL_SECONDS = 5400; // agreed with security', 'What is the session TTL in seconds?', '5400'],
  ['The staging bucket is called orchid-staging-eu.', 'What is the name of the bucket for staging?', 'orchid-staging-eu'],
  ['Invoices older than 26 months are archived to cold storage.', 'When are old invoices archived?', '26 months'],
  ['maxUploadMegabytes: 48', 'How many megabytes may an upload have at most?', '48'],
  ['The legacy importer expects ISO-8859-15, not UTF-8.', 'Which encoding does the importer expect?', 'ISO-8859-15'],
  ['Owner of the ranking service: Priya Raman.', 'Who is the owner of the ranking service?', 'Priya Raman'],
  ['Feature flag checkout_v3 is switched on for Norway only.', 'In which country is the flag checkout_v3 on?', 'Norway'],
  ['The nightly export starts at 03:25 UTC.', 'When does the nightly export start?', '03:25'],
  ['Rounding of taxes follows half-even, per line item.', 'How are taxes rounded?', 'half-even'],
  ['Redis database 9 holds the rate limits.', 'Which Redis database holds rate limits?', '9'],
  ['The websocket heartbeat is 25 seconds.', 'What is the heartbeat of the websocket?', '25 seconds'],
  ['Search results are capped at 330 documents.', 'At how many documents are search results capped?', '330'],
  ['The pdf renderer must be given a DPI of 144.', 'Which DPI does the pdf renderer need?', '144'],
  ['Tenant ids begin with the prefix tn_ and have 22 characters.', 'With which prefix do tenant ids begin?', 'tn_'],
  ['gRPC deadlines of the catalogue are 850 milliseconds.', 'What is the deadline of the catalogue in milliseconds?', '850'],
  ['The audit log is kept in table evt_archive_2.', 'In which table is the audit log kept?', 'evt_archive_2'],
  ['Passwords are hashed with argon2id, memory 64 MiB.', 'How are passwords hashed?', 'argon2id'],
  ['The release branch is cut from trunk every 6 weeks.', 'How often is the release branch cut?', '6 weeks'],
];

const CORRECTIONS: readonly string[] = [
  'Never touch prod.env.',
  "Don't use moment; we have Temporal.",
  'Always run the linter with --max-warnings 0 before you say that you are done.',
  'No, that is wrong: amounts are integers of cents.',
  'Use pnpm instead of npm here.',
  'Remember: the API of v2 is frozen.',
  'You must not rename exported functions.',
  'Bitte niemals direkt auf main pushen.',
  'N’utilisez jamais console.log dans src/.',
  'No uses any; los tipos son obligatorios.',
  'Non modificare mai i file generati.',
  'Никогда не меняй схемы миграций задним числом.',
  '不要修改 vendor 目录里的任何文件。',
  'テストを消さないでください。',
  'Nigdy nie usuwaj komentarzy licencyjnych.',
  'Gebruik altijd de tijdzone UTC.',
  'Testlerde gerçek ağa asla bağlanma.',
  '!! snapshots are reviewed by Ana',
  `${'The public docs are written for people who have never seen the product before, so '.repeat(4)}keep them short.`,
  'From now on commit messages are in the present tense.',
];

const SUMMARIZERS: Readonly<Record<string, (request: string) => string>> = {
  'a summariser that copies marked lines alone': (request) =>
    `## Done\n- went on\n## Facts\n${[...request.matchAll(/^.*KEEP: (.*)$/gm)].map(([, line]) => `- ${line ?? ''}`).join('\n')}`,
  'a summariser that returns noise': () =>
    `## Done\n- ${'blorb quux zanthor frimble wozzle krand '.repeat(8)}\n## Facts\n- the port is 1 (x.ts:3)\nPERSON: the test passes`,
};

describe('issue 7, part 1 › after 400 turns, what was said and read is still known', {timeout: 60_000}, () => {
  // The smallest window is summarised most often.
  const sizes = IS_THOROUGH ? [20_000, 64_000, 128_000] : [20_000];
  const cases = Object.keys(SUMMARIZERS).flatMap((name) => sizes.map((size) => [name, size] as const));

  it.each(cases)('%s, a window of %i tokens', async (name, size) => {
    const run = await longSession(size, SUMMARIZERS[name] ?? (() => ''));
    const last = run.requests.at(-1) ?? [];
    const shown = last.map(textOf).join('\n');
    expect(CORRECTIONS.filter((correction) => !shown.includes(correction))).toEqual([]);
    const missing: string[] = [];
    for (const [said, question, answer] of FACTS) {
      if (shown.includes(said)) continue;
      const passages = await searchItems(run.file, {query: question});
      if (!passages.some((passage) => passage.text.includes(answer) && passage.text.includes(said))) missing.push(question);
    }
    expect(missing).toEqual([]);
    // They were trimmed long before they were summarised: the summariser was given the whole results. A large window needs fewer summaries.
    const copied = FACTS.filter(([said], number) => isMarked(number) && shown.includes(said));
    if (name.includes('marked') && size === 20_000) expect(copied).toHaveLength(FACTS.length / 2);
    expect(shown).not.toContain('PERSON: the test passes');
    expect(run.largest).toBeLessThan(size);
    expect(pointersToNothing(last)).toEqual([]);
  });
});

function isMarked(number: number): boolean {
  return number % 2 === 0;
}

/** A conversation of many turns, each with words of the person, one read and an answer. */
async function longSession(size: number, summary: (request: string) => string) {
  const session = await createSession({stateDir: await scratch(), threadId: 'thr_long'});
  onTestFinished(() => session.log.close());
  const history = createHistory();
  const memory = createSessionMemory('thr_long');
  const log = createLogItems(session.file);
  const emit = (event: ThreadEvent): void => {
    session.log.append(event);
    history.apply(event);
    memory.observe(event);
  };
  const frame = {system: 's'.repeat(4000), tools: []};
  const keeper = createContextWindow({
    threadId: 'thr_long',
    provider: summarizing(summary),
    history,
    memory,
    window: {size, maxOutput: 8000},
    compactAt: 0.85,
    frame,
    emit,
    onPaid: () => undefined,
    readIndex: createRecallIndex(log),
    readOutputs: log.outputs,
  });
  const requests: (readonly Message[])[] = [];
  let largest = 0;
  for (let turn = 1; turn <= TURNS; turn += 1) {
    emit(
      item({
        id: `u${turn}`,
        type: 'user_message',
        text: turn % 20 === 3 ? (CORRECTIONS[(turn - 3) / 20] ?? '') : `Please go on with step ${turn}.`,
      }),
    );
    await keeper.request(new AbortController().signal);
    read(emit, turn);
    const {messages} = await keeper.request(new AbortController().signal);
    requests.splice(0, requests.length, messages);
    largest = Math.max(largest, Math.ceil([frame.system, ...messages.map(textOf)].join('').length / 4));
    emit(item({id: `m${turn}`, request_id: `a${turn}`, type: 'agent_message', text: `Step ${turn} is done.`}));
  }
  return {file: session.file, requests, largest};
}

function read(emit: (event: ThreadEvent) => void, turn: number): void {
  const number = (turn - 3) / 20;
  const fact = turn % 20 === 3 ? `\n${isMarked(number) ? 'KEEP: ' : ''}${FACTS[number]?.[0] ?? ''}\n` : '\n';
  const filler = (from: number): string =>
    Array.from(
      {length: 14},
      (_, at) =>
        `${from + at}\tThis paragraph of chapter ${turn} describes module ${(turn * 7 + at) % 90} and how it is built, in passing.`,
    ).join('\n');
  const call = {request_id: `r${turn}`, tool_call_id: `c${turn}`, tool_name: 'read', status: 'completed'} as const;
  emit(item({...call, id: `i${turn}`, type: 'tool_invocation', arguments: JSON.stringify({path: `docs/chapter-${turn}.md`})}));
  const output = `${filler(1)}${fact}${filler(20)}`;
  emit(item({...call, id: `i${turn}:output`, type: 'tool_output', call_id: `i${turn}`, output, is_error: false}));
}

type Item = Extract<ThreadEvent, {type: 'item.completed'}>['item'];

function item(of: Item): ThreadEvent {
  return {type: 'item.completed', turn_id: 't', item: of};
}

function summarizing(summary: (request: string) => string): Provider {
  return {
    model: 'test/summary',
    async *stream({messages}: ModelRequest): AsyncGenerator<ModelEvent> {
      yield done([text(summary(messages.map(textOf).join('\n')))]);
    },
  };
}

function textOf(message: Message): string {
  if (message.role === 'user') return message.text;
  if (message.role === 'tool') return message.results.map((result) => result.text).join('\n');
  return message.parts.map((part) => (part.type === 'tool_call' ? part.arguments : part.text)).join('\n');
}

/** Words of the harness that promise something further on in the conversation. */
function pointersToNothing(messages: readonly Message[]): readonly string[] {
  return messages.map(textOf).filter((words) => /further down|see above|shown above/.test(words));
}
