import * as z from 'zod/mini';
import {startSession} from '../../operations/exec/start-session.ts';
import {useSession} from '../../operations/exec/use-session.ts';
import {defineTool, type Tool, type Toolset} from '../../toolset.ts';
import {AGENT_TOOLS} from '../agent-tools.ts';
import {editSymbolTool} from './edit-symbol-tool.ts';
import {CAPTURE} from './fettle-output.ts';
import {sessionReply, startReply} from '../session-text.ts';
import {recallTool} from '../recall-tool.ts';
import {SCHEDULE_TOOLS} from '../schedule-tools.ts';
import * as alias from '../../compat/parameter-aliases.ts';

const TIMEOUT_S = {default: 600, max: 3600};
const WAIT_MS = {default: 10_000, max: 60_000};
/** As long as a timer can wait: 24 days. */
const NO_LIMIT_MS = 2 ** 31 - 1;
const HOW_TO_LOOK = 'command_session looks again';

const start = defineTool({
  name: 'start_command',
  description:
    'Start a command in the background, where it goes on while you do something else: a server, a watcher, a long build; with pty also what asks or draws. Look at it with command_session.',
  input: z.object({
    command: z.string(),
    pty: z.optional(z.boolean().check(z.describe('a terminal: shows its screen, can be typed into'))),
    cwd: z.optional(z.string()),
    timeout_s: z.optional(z.int().check(z.minimum(1), z.describe('ended after, default 600, at most 3600'))),
    wait_ms: z.optional(z.int().check(z.minimum(0), z.describe('wait for its first output, default 10000'))),
    keep: z.optional(z.boolean().check(z.describe('it goes on after this session, without a time limit; only if the user wants that'))),
  }),
  aliases: alias.aliasesOf({
    command: alias.COMMAND,
    pty: ['tty', 'interactive'],
    cwd: ['workdir', 'directory', 'working_dir'],
    timeout_s: ['timeout', 'timeout_secs'],
    wait_ms: ['yield_time_ms'],
  }),
  operation: startSession,
  toArgs: ({command, pty, cwd, timeout_s: timeout, wait_ms: wait, keep}) => ({
    command,
    pty: pty ?? false,
    keep: keep ?? false,
    cwd,
    timeoutMs: keep && timeout === undefined ? NO_LIMIT_MS : Math.min(timeout ?? TIMEOUT_S.default, TIMEOUT_S.max) * 1000,
    waitMs: Math.min(wait ?? WAIT_MS.default, WAIT_MS.max),
    ...CAPTURE,
  }),
  render: (seen) => startReply(seen, HOW_TO_LOOK),
});

const session = defineTool({
  name: 'command_session',
  description:
    'Look at, type into, close or list the commands of start_command. look waits for the end or wait_ms, and shows what was written since; of a pty, the screen.',
  input: z.object({
    action: z.optional(z.enum(['look', 'write', 'close', 'list']).check(z.describe('default look; with input, write'))),
    session: z.optional(z.string().check(z.describe('not for list'))),
    input: z.optional(z.string().check(z.describe('pty: typed; \\n is Enter; keys: <C-c> <Esc> <Tab> <Up> <PageDown> <F1> …'))),
    rows: z.optional(z.int().check(z.minimum(5), z.maximum(200), z.describe('pty: new height'))),
    columns: z.optional(z.int().check(z.minimum(20), z.maximum(500), z.describe('pty: new width'))),
    wait_ms: z.optional(z.int().check(z.minimum(0), z.describe('default 10000'))),
  }),
  aliases: alias.aliasesOf({
    session: ['session_id', 'id', 'bash_id', 'shell_id'],
    input: ['chars', 'keys', 'text'],
    columns: ['cols'],
    wait_ms: ['yield_time_ms', 'timeout_ms', 'timeout'],
  }),
  operation: useSession,
  toArgs: ({action, session: which, input, rows, columns, wait_ms: wait}) => ({
    action: action ?? (input === undefined ? 'look' : 'write'),
    session: which,
    input,
    size: rows === undefined && columns === undefined ? undefined : {rows, columns},
    waitMs: Math.min(wait ?? WAIT_MS.default, WAIT_MS.max),
  }),
  render: (result) => sessionReply(result, HOW_TO_LOOK),
});

const blade = async (): Promise<Toolset> => (await import('../blade/blade.ts')).blade;

/** Tools taken from other toolsets, under their own names. */
const BORROWED: readonly (readonly [() => Promise<Toolset>, string])[] = [
  [blade, 'apply_patch delete_file move_file copy_file create_directory get_file_info read_many_files get_workspace_structure batch'],
  [blade, 'codebase_investigator get_editor_state open_file goto_line get_selection replace_selection insert_at_cursor'],
  [async () => (await import('../vibe.ts')).vibe, 'search_replace web_fetch web_search'],
  [async () => (await import('../vtcode.ts')).vtcode, 'list_files'],
];

/** The tools of `fettle` that are not advertised: tool_search finds them, and a call by name always works. */
export async function deferredTools(): Promise<readonly Tool[]> {
  const borrowed = BORROWED.map(async ([load, names]) => {
    const {tools} = await load();
    // Here the policy decides on paths outside of the workspace, as for the other tools.
    return names.split(' ').flatMap((name) => tools.filter((tool) => tool.name === name).map((tool) => ({...tool, pathScope: undefined})));
  });
  return [start, session, recallTool, editSymbolTool, ...AGENT_TOOLS, ...SCHEDULE_TOOLS, ...(await Promise.all(borrowed)).flat()];
}
