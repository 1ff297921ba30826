import * as z from 'zod/mini';
import {commandSession, startCommand} from '../operations/command-session.ts';
import {defineTool, type Tool} from '../toolset.ts';
import {counted} from './counted.ts';
import {exitText, failed} from './exit-text.ts';
import {CAPTURE} from './fettle-output.ts';
import * as spelling from './spellings.ts';
import {toolsetNamed} from './toolset-named.ts';
import {sessionList, sessionText} from './vtcode-output.ts';

const TIMEOUT_S = {default: 600, max: 3600};
const WAIT_MS = {default: 10_000, max: 60_000};

const start = defineTool({
  name: 'start_command',
  description:
    'Start a command in the background, where it goes on while you do something else: a server, a watcher, a long build. Look at it with command_session.',
  input: z.object({
    command: z.string(),
    cwd: z.optional(z.string()),
    timeout_s: z.optional(z.int().check(z.minimum(1), z.describe('ended after, default 600, at most 3600'))),
    wait_ms: z.optional(z.int().check(z.minimum(0), z.describe('wait for its first output, default 10000'))),
  }),
  aliases: spelling.spelled({
    command: spelling.COMMAND,
    cwd: ['workdir', 'directory', 'working_dir'],
    timeout_s: ['timeout', 'timeout_secs'],
  }),
  operation: startCommand,
  toArgs: ({command, cwd, timeout_s: timeout, wait_ms: wait}) => ({
    command,
    cwd,
    timeoutMs: Math.min(timeout ?? TIMEOUT_S.default, TIMEOUT_S.max) * 1000,
    waitMs: Math.min(wait ?? WAIT_MS.default, WAIT_MS.max),
    ...CAPTURE,
  }),
  render(seen, {command}) {
    const {ended, session: id} = seen;
    return {
      text: sessionText({...seen, id}, HOW_TO_LOOK),
      summary: ended === null ? `session ${id}` : `exit code ${exitText(ended)}`,
      isError: ended !== null && failed(ended),
      ...(ended === null ? {} : {command: {line: command, exitCode: ended.exitCode}}),
    };
  },
});

const HOW_TO_LOOK = 'command_session looks again';

const session = defineTool({
  name: 'command_session',
  description: 'Look at, close or list the commands of start_command. look waits for the end or wait_ms, and shows what was written since.',
  input: z.object({
    action: z.optional(z.enum(['look', 'close', 'list']).check(z.describe('default look'))),
    session: z.optional(z.string().check(z.describe('not for list'))),
    wait_ms: z.optional(z.int().check(z.minimum(0), z.describe('default 10000'))),
  }),
  aliases: spelling.spelled({session: ['session_id', 'id', 'bash_id', 'shell_id'], wait_ms: ['yield_time_ms', 'timeout_ms', 'timeout']}),
  operation: commandSession,
  toArgs: ({action, session: which, wait_ms: wait}) => ({
    action: action ?? 'look',
    session: which,
    waitMs: Math.min(wait ?? WAIT_MS.default, WAIT_MS.max),
  }),
  render(result) {
    const {seen} = result;
    if (seen === null) return {text: sessionList(result), summary: counted(result.sessions.length, 'session')};
    const text = sessionText({...seen, id: seen.session}, HOW_TO_LOOK);
    return {text, summary: seen.ended === null ? `${seen.session} runs` : `${seen.session}: exit code ${exitText(seen.ended)}`};
  },
});

/** What other toolsets do best, under their own names. */
const BORROWED: readonly (readonly [string, string])[] = [
  ['blade', 'apply_patch delete_file move_file copy_file create_directory get_file_info read_many_files get_workspace_structure batch'],
  ['blade', 'codebase_investigator get_editor_state open_file goto_line get_selection replace_selection insert_at_cursor'],
  ['vibe', 'search_replace'],
  ['vtcode', 'list_files'],
];

/** The tools of `fettle` that stand in no schema: tool_search finds them, and a call by name always works. */
export async function deferredTools(): Promise<readonly Tool[]> {
  const borrowed = BORROWED.map(async ([owner, names]) => {
    const {tools} = await toolsetNamed(owner);
    return names.split(' ').flatMap((name) => tools.find((tool) => tool.name === name) ?? []);
  });
  return [start, session, ...(await Promise.all(borrowed)).flat()];
}
