import {toFettleError} from '../../../base/errors.ts';
import {visibleText} from '../../../base/visible-text.ts';
import type {CommandResult} from '../../../exec/process/command.ts';
import {createExecEnvironment} from '../../../exec/create-environment.ts';
import type {SessionInfo} from '../host-adapter.ts';

export interface StatusCommand {
  /** A shell line of the person. */
  readonly line: string;
  /** The command starts there, never in the working folder, whose files could influence programs. */
  readonly home: string;
  /** The folder that is worked in. */
  readonly folder: string;
  readonly spoolDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Milliseconds. */
const TIMEOUT_MS = 1000;
const MOST_CHARS = 200;

/** Runs the person's own command for the status line: it reads the session as JSON, and the first line of its output is the text. Never rejects. */
export function statusCommand({line, home, folder, spoolDir, env}: StatusCommand) {
  const exec = createExecEnvironment({cwd: home, spoolDir, env});
  return async (info: SessionInfo, signal: AbortSignal): Promise<string | undefined> => {
    const input = `${JSON.stringify(described(info, folder))}\n`;
    const capture = {headBytes: 4096, tailBytes: 0, spillAbove: Number.MAX_SAFE_INTEGER};
    try {
      return textOf(await exec.run({shell: line, input, timeoutMs: TIMEOUT_MS, capture}, signal));
    } catch (thrown) {
      return `status_command: ${visibleText(toFettleError(thrown).message)}`.slice(0, MOST_CHARS);
    }
  };
}

function described(info: SessionInfo, folder: string): object {
  return {
    model: info.model,
    model_reason: info.modelReason,
    tool_reasons: info.toolReasons,
    mode: info.mode,
    sandbox: info.sandbox,
    folder,
    branch: info.branch,
    title: info.title,
    context_tokens: info.contextTokens,
    context_window: info.contextWindow,
    cost_usd: info.costUsd,
    session_id: info.sessionId,
  };
}

/** A failed command is reported: an empty status would not show what is wrong. */
function textOf({exitCode, signal, timedOut, cancelled, stdout}: CommandResult): string | undefined {
  if (cancelled) return undefined;
  if (timedOut) return `status_command: no answer within ${TIMEOUT_MS / 1000} s`;
  if (exitCode !== 0) return `status_command: exit ${exitCode ?? signal}`;
  const [first = ''] = visibleText(stdout.head).trim().split('\n', 1);
  const text = first.replaceAll('\t', ' ').trim().slice(0, MOST_CHARS);
  return text === '' ? undefined : text;
}
