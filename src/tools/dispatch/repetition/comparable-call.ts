import {comparableCommand} from './comparable-command.ts';
import {comparablePath} from './comparable-path.ts';

/**
 * Returns one text for all calls of a tool that ask for the same: whatever the order of their keys, the notation of their paths, and the
 * white space of their commands. `args` are those of the operation, with defaults filled in.
 */
export function comparableCall(toolName: string, args: unknown, root: string): string {
  return `${toolName}\n${JSON.stringify(comparable(args, root))}`;
}

function comparable(value: unknown, root: string): unknown {
  if (Array.isArray(value)) return value.map((inner) => comparable(inner, root));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, comparableField(name, inner, root)]));
}

function comparableField(name: string, value: unknown, root: string): unknown {
  if (Array.isArray(value) && PATHS.has(name)) return value.map((inner) => comparableField(name, inner, root));
  if (typeof value !== 'string') return comparable(value, root);
  if (COMMANDS.has(name)) return comparableCommand(value, root);
  return PATHS.has(name) ? comparablePath(value, root) : value;
}

/** Names of arguments, of operations and of tools of other programs. */
const COMMANDS: ReadonlySet<string> = new Set(['command', 'cmd', 'script']);
const PATHS: ReadonlySet<string> = new Set(
  ['path', 'paths', 'file', 'files', 'folder', 'cwd', 'dir', 'directory', 'root', 'workdir', 'file_path', 'filePath'].concat([
    'absolute_path',
    'dir_path',
    'target_file',
  ]),
);
