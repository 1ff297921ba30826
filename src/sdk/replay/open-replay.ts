import {join} from 'node:path';
import {isFettleError} from '../../base/errors.ts';
import type {Flags} from '../../config/overrides.ts';
import type {ThreadEvent, ThreadStarted} from '../../protocol/events.ts';
import {loadSettings} from '../settings/load-settings.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {openTools} from '../tools/open-tools.ts';
import type {OpenedTools} from '../tools/opened-tools.ts';
import type {Place} from './replay-place.ts';

/** The session to replay, and its permissions. */
export interface ReplayRequest {
  /** The session, or the beginning of its id. */
  readonly id: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The folder that is copied; without it the recorded folder is used. */
  readonly cwd?: string | undefined;
  /** Overrides of the usual permissions: files of the copy, and commands in the sandbox. */
  readonly flags?: Pick<Flags, '--mode' | '--sandbox' | '--allow' | '--ask' | '--deny'> | undefined;
  readonly keep?: boolean | undefined;
  readonly onEvent?: (event: ThreadEvent) => void;
}

interface Opened {
  readonly tools: OpenedTools;
  readonly runsCommands: boolean;
  readonly note: readonly string[];
}

/** Files of the copy may be changed, and commands run in the sandbox; without a sandbox they are not run. */
export async function open(request: ReplayRequest, {toolset}: ThreadStarted, {folder, scratch}: Place): Promise<Opened> {
  const flags = {'--mode': 'accept-edits', ...defined(request.flags ?? {}), '--toolset': toolset};
  const isUsual = request.flags?.['--mode'] === undefined && request.flags?.['--sandbox'] === undefined;
  const settings = async (sandbox: string | undefined): Promise<SessionSettings> => {
    const wanted = sandbox === undefined ? flags : {...flags, '--sandbox': sandbox};
    const session = await loadSettings({cwd: folder, env: request.env, home: request.home, flags: wanted});
    return {...session, settings: {...session.settings, mcp_servers: []}};
  };
  const spoolDir = join(scratch, 'spool');
  if (!isUsual) return {tools: await openTools({session: await settings(undefined), spoolDir}), runsCommands: true, note: []};
  try {
    const tools = await openTools({session: await settings('workspace-write'), spoolDir});
    tools.grant('bash:*');
    return {tools, runsCommands: true, note: []};
  } catch (error) {
    if (!isFettleError(error) || error.code !== 'UNAVAILABLE') throw error;
    const note = [`Commands are not run: ${error.message} \`--mode full-auto --no-sandbox\` runs them without a sandbox.`];
    return {tools: await openTools({session: await settings('off'), spoolDir}), runsCommands: false, note};
  }
}

function defined(flags: Flags): Flags {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
}
