import {visibleText} from '../../../base/visible-text.ts';
import type {ToolEntry} from '../model/entry.ts';
import {firstText, pathOfCall, TOOL_KINDS, type Input, type SubjectShape} from './tool-kinds.ts';

/** Describes a call in one line: the action and its object. */
export interface ToolWords {
  readonly verb: string;
  /** One row; '' if the verb says all. */
  readonly subject: string;
  /** Decides where the subject may be cut. */
  readonly shape: SubjectShape;
  /** True if the call writes its arguments into files. */
  readonly isChange: boolean;
}

/** Reads verb and subject from the arguments, whatever the toolset calls its parameters. Paths below `root` are shown relative to it. */
export function toolWords({tool, arguments: json}: Pick<ToolEntry, 'tool' | 'arguments'>, root?: string): ToolWords {
  return wordsOf(tool, parsed(json), {root, depth: 0});
}

/** The arguments as an object; empty if they are not one, or broken. */
export function parsed(json: string): Input {
  try {
    return record(JSON.parse(json));
  } catch {
    return {};
  }
}

interface Place {
  readonly root: string | undefined;
  /** Calls within calls. */
  readonly depth: number;
}

function wordsOf(tool: string, input: Input, place: Place): ToolWords {
  const inner = place.depth < MOST_DEPTH ? innerCalls(tool, input) : [];
  const [only] = inner;
  if (tool === 'tool_search' && only !== undefined) return wordsOf(only.tool, only.input, {...place, depth: place.depth + 1});
  if (inner.length > 0) return {...PLAIN, verb: 'Batch', subject: batchSubject(inner, place)};
  return knownWords(tool, input, place) ?? strangeWords(tool, input, place);
}

function knownWords(tool: string, input: Input, place: Place): ToolWords | undefined {
  const action = typeof input['action'] === 'string' ? input['action'] : '';
  const kind = TOOL_KINDS.get(`${tool}.${action}`) ?? TOOL_KINDS.get(tool);
  if (kind === undefined) return undefined;
  const {verb, shape, subject, isChange} = kind;
  const summary = oneRow(subject(input), shape);
  return {verb, shape, isChange, subject: shape === 'command' ? withoutFolder(summary, place.root) : relative(summary, place.root)};
}

/** A tool of an MCP server, or one that nothing is known of. */
function strangeWords(tool: string, input: Input, place: Place): ToolWords {
  const [, server, remote] = /^mcp__(.+?)__(.+)$/.exec(tool) ?? [];
  const about = relative(oneRow(pathOfCall(input) || firstText(input), 'text'), place.root);
  if (server === undefined || remote === undefined) return {...PLAIN, verb: titled(tool), subject: about};
  return {...PLAIN, verb: titled(remote), subject: oneRow(`(${server}) ${about}`, 'text')};
}

const PLAIN = {shape: 'text', isChange: false} as const;
const MOST_DEPTH = 2;
const MOST_CALLS = 32;

interface InnerCall {
  readonly tool: string;
  readonly input: Input;
}

/** The calls that a call is made of: those of a batch, and the deferred tool that a search for tools runs. */
function innerCalls(tool: string, input: Input): readonly InnerCall[] {
  const listed = tool === 'tool_search' ? [input] : tool === 'batch' ? (input['calls'] ?? input['tool_calls'] ?? input['invocations']) : [];
  if (!Array.isArray(listed)) return [];
  return listed.slice(0, MOST_CALLS).flatMap((one) => {
    const call = record(one);
    const name = call['tool'] ?? call['name'] ?? call['tool_name'];
    if (typeof name !== 'string' || name === '') return [];
    const args = call['arguments'] ?? call['args'] ?? call['parameters'] ?? call['input'];
    return [{tool: name, input: typeof args === 'string' ? parsed(args) : record(args)}];
  });
}

function batchSubject(calls: readonly InnerCall[], place: Place): string {
  return calls
    .map(({tool, input}) => {
      const {verb, subject} = wordsOf(tool, input, {...place, depth: place.depth + 1});
      return `${verb.toLowerCase()} ${subject}`.trim();
    })
    .join(' · ')
    .slice(0, MOST_CHARS);
}

/** A row of its own; of a command that is several lines the first, and how many follow. */
function oneRow(text: string, shape: SubjectShape): string {
  const shown = visibleText(text.slice(0, MOST_CHARS)).trim();
  if (shape !== 'command') return shown.replaceAll(/\s+/g, ' ');
  const [first = '', ...others] = shown.split('\n');
  return `${first.replaceAll('\t', ' ').trimEnd()}${others.length === 0 ? '' : ` … +${others.length} ${others.length === 1 ? 'line' : 'lines'}`}`;
}

const MOST_CHARS = 4000;

/** Text in which the paths of the workspace are relative to its root. */
function relative(text: string, root: string | undefined): string {
  if (root === undefined || root.length < 2) return text;
  return text === root || text === `${root}/` ? '.' : text.replaceAll(`${root}/`, '');
}

/** Drops a `cd` into the folder that commands run in anyway. */
function withoutFolder(command: string, root: string | undefined): string {
  if (root === undefined) return command;
  const front = [`cd ${root} && `, `cd "${root}" && `, `cd '${root}' && `, 'cd . && '].find((one) => command.startsWith(one));
  return command.slice(front?.length ?? 0);
}

function record(value: unknown): Input {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Input) : {};
}

function titled(name: string): string {
  const words = visibleText(name.slice(0, 100))
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
