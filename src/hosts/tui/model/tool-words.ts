import {visibleText} from '../../../base/visible-text.ts';
import type {ToolEntry} from './entry.ts';

/** How a call is told in one line: what is done, and to what. */
export interface ToolWords {
  readonly verb: string;
  readonly subject: string;
}

/** Reads the subject from the arguments, whatever the toolset calls its parameters. */
export function toolWords({tool, arguments: json}: Pick<ToolEntry, 'tool' | 'arguments'>): ToolWords {
  const input = parsed(json);
  const key = SUBJECTS.find((name) => typeof input[name] === 'string' && input[name] !== '');
  const value = key === undefined ? firstText(input) : String(input[key]);
  const bare = tool.replace(/^(?:mcp__)?[a-z]+__/, '');
  return {verb: VERBS.get(bare) ?? titled(bare), subject: visibleText(value).replaceAll(/\s+/g, ' ').trim()};
}

/** The arguments as an object; empty where they are not one, or broken. */
export function parsed(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function firstText(input: Readonly<Record<string, unknown>>): string {
  return Object.values(input).find((value): value is string => typeof value === 'string') ?? '';
}

function titled(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Parameters that say what a call is about, the most telling first. */
const SUBJECTS = [
  'command',
  'cmd',
  'path',
  'file_path',
  'filePath',
  'file',
  'pattern',
  'query',
  'url',
  'symbol',
  'name',
  'description',
  'prompt',
  'task',
] as const;

const VERBS: ReadonlyMap<string, string> = new Map([
  ['read', 'Read'],
  ['read_file', 'Read'],
  ['read_many_files', 'Read'],
  ['list', 'List'],
  ['ls', 'List'],
  ['list_dir', 'List'],
  ['find', 'Find'],
  ['glob', 'Find'],
  ['grep', 'Search'],
  ['search', 'Search'],
  ['write', 'Write'],
  ['write_file', 'Write'],
  ['edit', 'Edit'],
  ['edit_file', 'Edit'],
  ['search_replace', 'Edit'],
  ['apply_patch', 'Patch'],
  ['patch', 'Patch'],
  ['bash', 'Run'],
  ['shell', 'Run'],
  ['run_command', 'Run'],
  ['exec', 'Run'],
  ['check', 'Check'],
  ['todo', 'Tasks'],
  ['ask_user_question', 'Ask'],
  ['web_fetch', 'Fetch'],
  ['web_search', 'Search the web'],
  ['task', 'Delegate'],
  ['recall', 'Recall'],
]);
