import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {keepNewest} from '../../../src/context/memory/bounded-list.ts';
import {isCheckCommand} from '../../../src/context/memory/check-command.ts';
import {emptyEnvelope, SessionMemoryEnvelope} from '../../../src/context/memory/envelope.ts';
import {renderMemory} from '../../../src/context/memory/render-memory.ts';
import {createSessionMemory} from '../../../src/context/memory/session-memory.ts';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import type {ThreadItem} from '../../../src/protocol/items.ts';

const item = (of: Partial<ThreadItem> & {type: string}): ThreadEvent =>
  ({type: 'item.completed', turn_id: 't', item: {id: 'i', ...of}}) as unknown as ThreadEvent;
const words = (text: string, origin?: 'harness'): ThreadEvent => item({type: 'user_message', text, origin});
const command = (line: string, code: number | null): ThreadEvent =>
  item({type: 'command_execution', command: line, aggregated_output: '', exit_code: code, status: 'completed'});
const change = (...paths: string[]): ThreadEvent =>
  item({type: 'file_change', changes: paths.map((path) => ({path, kind: 'update' as const})), status: 'completed'});

function memoryOf(events: readonly ThreadEvent[]): SessionMemoryEnvelope {
  const memory = createSessionMemory('thr_1');
  for (const event of events) memory.observe(event);
  return memory.envelope();
}

describe('SessionMemoryEnvelope (VT Code architecture › Dynamic context)', () => {
  it('is filled from the events of the thread alone', () => {
    expect(
      memoryOf([
        words('Mend the parser.'),
        words('The answer does not fit the schema.', 'harness'),
        change('src/a.ts', 'src/b.ts'),
        command('npm test', 1),
        command('ls', 0),
        command('npm test', 0),
        command('cargo check', null),
        item({type: 'todo_list', items: [{id: '1', content: 'mend', status: 'in_progress', priority: 'high'}]}),
        {type: 'memory.noted', thread_id: 'thr_1', facts: [{fact: 'the port is 8080', source: 'a.ts:1'}], open_questions: ['why?']},
        words('Not the lexer!'),
      ]),
    ).toEqual({
      ...emptyEnvelope('thr_1'),
      objective: 'Mend the parser.',
      user_words: [
        {item: 1, text: 'Mend the parser.'},
        {item: 9, text: 'Not the lexer!'},
      ],
      touched_files: ['src/a.ts', 'src/b.ts'],
      verification: [
        {command: 'npm test', status: 'passed', exit_code: 0},
        {command: 'cargo check', status: 'unknown', exit_code: null},
      ],
      task_list: [{content: 'mend', status: 'in_progress'}],
      grounded_facts: [{fact: 'the port is 8080', source: 'a.ts:1'}],
      open_questions: ['why?'],
      corrections: [{item: 9, text: 'Not the lexer!'}],
    });
  });

  it('a check that passed before a file was changed counts no longer: it must be run again', () => {
    expect(memoryOf([command('npm test', 0), command('tsc', 2), change('a.ts')]).verification).toEqual([
      {command: 'npm test', status: 'stale', exit_code: 0},
      {command: 'tsc', status: 'failed', exit_code: 2},
    ]);
  });

  it.each([
    ['sed -i s/a/b/ src/a.ts', 'stale'],
    ['echo x > a.txt', 'stale'],
    ['cat a | tee b', 'stale'],
    ['./gen.sh', 'stale'],
    ['ls && rm a', 'stale'],
    ['echo $(rm a)', 'stale'],
    ['find . -name x -delete', 'stale'],
    ['git checkout main', 'stale'],
    ['ls -la', 'passed'],
    ['cd src && cat a.ts 2>/dev/null | head -n 5', 'passed'],
    ['git diff --stat; git status 2>&1 | wc -l', 'passed'],
    ['sed -n 1,5p a.ts', 'passed'],
    ['find . -name x', 'passed'],
  ])('after the command %s, which may have changed files or not, a check that passed is %s', (line, status) => {
    expect(memoryOf([command('npm test', 0), command(line, 0)]).verification).toEqual([{command: 'npm test', status, exit_code: 0}]);
  });

  it('commands that verify a run do not make one another stale', () => {
    const verified = (line: string): ThreadEvent[] => [
      item({type: 'harness', event: 'verification_started', command: line}),
      command(line, 0),
      item({type: 'harness', event: 'verification_passed', command: line, exit_code: 0}),
    ];
    expect(memoryOf([...verified('./check.sh'), ...verified('test -f a')]).verification.map(({status}) => status)).toEqual([
      'passed',
      'passed',
    ]);
  });

  it('what a subagent found stays, advisory, with its open questions', () => {
    const delegated = {agent: 'explore', summary: 's', facts: ['f'], touched_files: ['x'], open_questions: ['q'], verification: ['v']};
    const memory = memoryOf([{type: 'memory.noted', thread_id: 'thr_1', delegated, touched_files: ['x']}]);
    expect([memory.delegated_findings, memory.touched_files]).toEqual([[delegated], ['x']]);
  });

  it('a boundary carries it on, also into a fork; one of another version is not believed', () => {
    const boundary = (memory: unknown): ThreadEvent => ({
      type: 'thread.compact_boundary',
      thread_id: 'thr_1',
      trigger: 'auto',
      mode: 'local',
      original_message_count: 1,
      compacted_message_count: 1,
      memory,
    });
    const carried = {...emptyEnvelope('thr_0'), objective: 'from before', dropped_items: 7};
    expect(memoryOf([boundary(carried)])).toEqual({...carried, session_id: 'thr_1'});
    expect(memoryOf([words('mine'), boundary({...carried, schema_version: 9}), boundary('?')]).objective).toBe('mine');
  });

  it('goes back with the conversation, and forward again', () => {
    const turn = (id: string): ThreadEvent => ({type: 'turn.started', thread_id: 'thr_1', turn_id: id});
    const rewound = (to: string, id: string): ThreadEvent => ({type: 'thread.rewound', thread_id: 'thr_1', to, checkpoint_id: id});
    const before = [turn('t1'), words('one'), turn('t2'), words('two'), rewound('t2', 'c1')];
    expect(memoryOf(before).user_words.map(({text}) => text)).toEqual(['one']);
    expect(memoryOf([...before, rewound('c1', 'c2')]).user_words.map(({text}) => text)).toEqual(['one', 'two']);
  });

  it('is bounded whatever happens, keeps the newest, and counts what it forgot', () => {
    const memory = memoryOf([
      ...Array.from({length: 2000}, (_, at) => change(`src/${at}.ts`)),
      ...Array.from({length: 200}, (_, at) => words(`${at} ${'w'.repeat(10_000)}`)),
    ]);
    expect(memory.touched_files).toHaveLength(300);
    expect(memory.touched_files.at(-1)).toBe('src/1999.ts');
    expect(memory.forgotten).toEqual({touched_files: 1700, user_words: 195});
    expect(JSON.stringify(memory).length).toBeLessThan(40_000);
  });

  it('has a form that its own schema takes (property: lists keep the newest, once, within bounds)', () => {
    expect(SessionMemoryEnvelope.safeParse(memoryOf([words('x'), change('a'), command('npm test', 0)])).success).toBe(true);
    fc.assert(
      fc.property(
        fc.array(fc.string({maxLength: 5})),
        fc.array(fc.string({maxLength: 5})),
        fc.integer({min: 1, max: 9}),
        (present, added, entries) => {
          const kept = keepNewest(present, added, {entries, characters: 12, textOf: (text) => text});
          expect(new Set(kept.entries).size).toBe(kept.entries.length);
          expect(kept.entries.length).toBeLessThanOrEqual(entries);
          if (added.length > 0) expect(kept.entries.at(-1)).toBe(added.at(-1));
          expect(kept.entries.length + kept.forgotten).toBe(new Set([...present, ...added]).size);
        },
      ),
    );
  });
});

describe('what counts as a check', () => {
  it.each([
    'npm test',
    'npm run lint -- --fix',
    'cd x && cargo test --all',
    'python -m pytest -q',
    'go test ./...',
    'npx tsc --noEmit',
    'make check',
    './gradlew test',
  ])('%s', (line) => expect(isCheckCommand(line)).toBe(true));
  it.each(['ls test', 'cat vitest.config.ts', 'npm install', 'git commit -m "pytest"x', 'echo go'])('not %s', (line) =>
    expect(isCheckCommand(line)).toBe(false),
  );
});

describe('the memory as the model reads it', () => {
  it('says that it is a record, and what is not verified', () => {
    const memory = memoryOf([
      words('Mend it.'),
      change('a.ts'),
      command('npm test', null),
      {type: 'memory.noted', thread_id: 't', summary: 'It was long.', facts: [{fact: 'x', source: 'a:1'}], constraints: ['Node 24']},
    ]);
    expect(renderMemory({...memory, dropped_items: 12, forgotten: {touched_files: 3}})).toMatchInlineSnapshot(`
      "<session_memory>
      Written by the harness from the log of this session, in place of older messages. It is a record, not a new order.

      ## Objective
      Mend it.

      ## The person said, word for word
      - (item 1) Mend it.

      ## Constraints
      - Node 24

      ## Changed files
      a.ts

      ## Checks
      - npm test: did not run to its end: not verified

      ## Facts
      - x (a:1)

      ## Summary of what came before
      It was long.

      Left out for want of room: 3 changed files.
      Items 1-12 are no longer shown. \`recall\` finds them by words, tool or file ({"query": "port of the server"}), or shows them by number ({"item": 7}).
      </session_memory>"
    `);
  });
});
