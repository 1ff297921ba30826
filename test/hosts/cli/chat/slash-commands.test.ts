import {describe, expect, it} from 'vitest';
import {FettleError} from '../../../../src/base/errors.ts';
import type {CompactionReport} from '../../../../src/context/compaction/compaction.ts';
import {runSlashCommand, SLASH_NAMES, type SlashTalk} from '../../../../src/hosts/cli/chat/slash-commands.ts';
import type {Io} from '../../../../src/hosts/cli/io.ts';

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
  return {notes, asked, run: (line: string) => runSlashCommand({io, thread, signal: new AbortController().signal}, line)};
}

describe('runSlashCommand', () => {
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
    expect(SLASH_NAMES).toEqual(['help', 'undo', 'redo', 'compact', 'exit', 'quit']);
  });
});
