import {shellWord} from '../../base/shell-word.ts';
import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';
import type {Rewritten} from './rewritten-call.ts';

/** A command as a list of words becomes a line, a folder to run in becomes `cd`; parameters that only describe the call are dropped. */
export function shellCall(name: string, {action, ...input}: JsonObject): Rewritten {
  const fields = isJsonObject(action) ? {...action, ...input} : input;
  const rewritten = ownShellCall(name, fields);
  if (rewritten !== undefined && rewritten.name !== name) return rewritten;
  const {command, cmd, workdir, directory, dir_path: dirPath, cwd, working_directory: workingDirectory, ...others} = fields;
  const rest = Object.fromEntries(Object.entries(others).filter(([key]) => !SPOKEN.has(key)));
  const line = commandLine(command ?? cmd);
  const folder = workdir ?? directory ?? dirPath ?? workingDirectory ?? cwd;
  if (line === undefined) return {name, input: rest};
  return {name, input: {command: typeof folder === 'string' && typeof line === 'string' ? lineIn(folder, line) : line, ...rest}};
}

/** Parameters with which other agents ask for permission, wait or shorten output: here settings decide. */
const SPOKEN: ReadonlySet<string> = new Set(
  (
    'type description justification explanation is_background run_in_background require_user_approval requires_approval login shell ' +
    'with_escalated_permissions sandbox_permissions yield_time_ms max_output_tokens'
  ).split(' '),
);

/**
 * Rewrites a call of a shell tool into the intended tool: a command as a list of words, `apply_patch` as a command (Codex; no such program
 * exists), and a command that continues in the background.
 */
export function ownShellCall(name: string, input: JsonObject): Rewritten | undefined {
  const {command: one, cmd, run_in_background: background, is_background: isBackground, ...rest} = input;
  const command = one ?? cmd;
  const patch = patchIn(command);
  if (patch !== undefined) return {name: 'apply_patch', input: {patch}};
  const line = commandLine(command);
  if ((background === true || isBackground === true) && typeof line === 'string') {
    const {cwd = rest['workdir'] ?? rest['directory'] ?? rest['dir_path']} = rest;
    return {name: 'start_command', input: {command: line, ...(cwd === undefined ? {} : {cwd})}};
  }
  return Array.isArray(command) && typeof line === 'string' ? {name, input: {...rest, command: line}} : undefined;
}

/** Claude Code: KillShell, KillBash. */
export function killCall(input: JsonObject): Rewritten {
  return {name: 'command_session', input: {...input, action: 'close'}};
}

/** Finds the patch in Codex's `["apply_patch", "*** Begin Patch …"]`, or in a here-document. */
function patchIn(command: Json | undefined): Json | undefined {
  if (Array.isArray(command) && /^(?:apply_?patch|applypatch)$/.test(String(command[0])) && command.length === 2) return command[1] as Json;
  const line = commandLine(command);
  if (typeof line !== 'string') return undefined;
  return /^\s*apply_?patch\s+<<-?\s*(['"]?)(\w+)\1\n(?<patch>\s*\*\*\* Begin Patch\n[^]*)\n\2\s*$/.exec(line)?.groups?.['patch'];
}

function lineIn(folder: string, line: string): string {
  return folder === '' || folder === '.' ? line : `cd ${shellWord(folder)} || exit\n${line}`;
}

function commandLine(command: Json | undefined): Json | undefined {
  if (!Array.isArray(command)) return command;
  const words = (command as readonly Json[]).map(String);
  const [shell = '', flag = '', script] = words;
  if (words.length === 3 && /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(flag)) return script;
  return words.map(shellWord).join(' ');
}
