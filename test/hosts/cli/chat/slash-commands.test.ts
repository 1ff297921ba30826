import {describe, expect, it} from 'vitest';
import {FettleError} from '../../../../src/base/errors.ts';
import type {CompactionReport} from '../../../../src/context/compaction/compaction.ts';
import {runSlashCommand, SLASH_NAMES, type SlashTalk} from '../../../../src/hosts/cli/chat/slash-commands.ts';
import type {Io} from '../../../../src/hosts/cli/io.ts';
import {createSessionSchedule} from '../../../../src/schedule/session/session-schedule.ts';
import {manualClock} from '../../../schedule/session/manual-clock.ts';

/** A Monday, 10:00 in Berlin. */
const NOW = Date.parse('2026-11-23T10:00:00+01:00');

function talk(report: CompactionReport | Error = {mode: 'local', before: 12_345, after: 678}) {
  const notes: string[] = [];
  const asked: unknown[] = [];
  const io: Io = {
    env: {},
    cwd: '/',
    home: '/',
    interactive: true,
    readStdin: async () => '',
    piped: () => undefined,
    data: () => undefined,
    shown: () => undefined,
    note: (line) => void notes.push(line),
    progress: () => undefined,
    status: () => false,
    paint: (_, text) => text,
  };
  const thread: SlashTalk['thread'] = {
    async compact(instructions) {
      asked.push(instructions);
      if (report instanceof Error) throw report;
      return report;
    },
    restore: async () => {
      throw new FettleError({code: 'NOT_FOUND', message: 'Nothing to undo.', hint: 'Change something.'});
    },
    commands: {
      list: async () => ({
        entries: [
          {name: 'review', description: 'Reviews\u202e.', argumentHint: 'FILE', kind: 'command'},
          {name: 'notes', description: 'Writes notes.', argumentHint: '', kind: 'skill'},
        ],
        problems: ['x.md: not used: it is empty'],
      }),
      task: async (line) => line,
    },
  };
  const schedule = createSessionSchedule({
    onDue: () => undefined,
    clock: manualClock(NOW),
    timeZone: 'Europe/Berlin',
    newId: () => '1a2b3c4d',
  });
  return {notes, asked, run: (line: string) => runSlashCommand({io, thread, schedule, signal: new AbortController().signal}, line)};
}

describe('runSlashCommand', () => {
  it('/loop and /schedule: add, list, cancel; what is wrong is said', async () => {
    const {run, notes} = talk();
    const lines = [
      '/schedule',
      '/loop 7m check the build',
      '/schedule',
      '/schedule cancel 1a2b3c4d',
      '/schedule cancel 1a2b3c4d',
      '/schedule x',
      '/loop',
    ];
    for (const line of lines) expect(await run(line)).toBe('done');
    expect(notes).toMatchInlineSnapshot(`
      [
        "Nothing is scheduled. /loop 10m PROMPT repeats a prompt; "in 20 minutes …" runs one later.",
        "Task 1a2b3c4d, every 6 minutes, next 2026-11-23 10:06: check the build",
        "Every 7 minutes becomes every 6 minutes.",
        "It ends with this session, at the latest after 72 hours; /schedule cancel 1a2b3c4d ends it now.",
        "1a2b3c4d  2026-11-23 10:06  every 6 minutes  check the build",
        "Cancelled 1a2b3c4d: check the build",
        "There is no scheduled task "1a2b3c4d" in this session. List the scheduled tasks to see their ids.",
        "/schedule does not know "x". /schedule lists the tasks, /schedule cancel ID ends one; /loop 10m PROMPT adds one.",
        "A task needs a prompt. Say what is to be done: /loop 10m check the build",
      ]
    `);
  });

  it('/help lists its own commands, then custom commands and skills, and what is wrong with others', async () => {
    const {run, notes} = talk();
    expect([await run('/help'), notes]).toMatchInlineSnapshot(`
      [
        "done",
        [
          "/help   this list
      /undo   take back the newest turn that changed something: its files, and the conversation since
      /redo   take back the undo
      /compact [WHAT MATTERS]   shorten the conversation now; nothing is lost
      /loop [INTERVAL] PROMPT   run a prompt again and again while the chat is open; every 10 minutes where no interval is given
      /schedule [cancel ID]   list the scheduled tasks of this chat; cancel one
      /exit   end the chat (also Ctrl-D)
      /mcp__SERVER__PROMPT ARGUMENTS   run a prompt of an MCP server; fettle mcp test SERVER lists them

      /review FILE   Reviews\\u202e.
      /notes   Writes notes.

      Ctrl-C  cancel the running turn, again to end at once; at the prompt: clear the line, twice to end
      A line that is typed while a turn runs is the next task.
      The session is saved: fettle --last resumes it.
      x.md: not used: it is empty",
        ],
      ]
    `);
  });

  it('/compact passes on what matters, and says what came of it', async () => {
    const {run, notes, asked} = talk();
    expect([await run('/compact the bug in x.ts'), await run('/compact')]).toEqual(['done', 'done']);
    expect(asked).toEqual(['the bug in x.ts', undefined]);
    expect(notes[0]).toBe('The older part was summarised: about 12,345 tokens before, 678 now. The log keeps all of it.');
    const small = talk({mode: 'none', before: 10, after: 10});
    await small.run('/compact');
    expect(small.notes).toEqual(['There is nothing to shorten yet.']);
  });

  it('a failure is told, and ends nothing', async () => {
    const {run, notes} = talk(new FettleError({code: 'IO', message: 'The disk is full.', hint: 'Make room.'}));
    expect([await run('/compact'), await run('/undo'), notes]).toEqual([
      'done',
      'done',
      ['The disk is full. Make room.', 'Nothing to undo. Change something.'],
    ]);
  });

  it.each([
    ['/exit', 'end'],
    ['/quit', 'end'],
    ['/exit now', 'none'],
    ['/undo that thing', 'none'],
    ['/review a', 'none'],
    ['/etc/hosts', 'none'],
    ['hello', 'none'],
  ])('%s: %s', async (line, expected) => {
    expect(await talk().run(line)).toBe(expected);
  });

  it('names that nothing takes the place of', () => {
    expect(SLASH_NAMES).toEqual(['help', 'undo', 'redo', 'compact', 'loop', 'schedule', 'exit', 'quit']);
  });
});
