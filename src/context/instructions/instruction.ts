import {escapeInvisible} from '../../base/escape-invisible.ts';

/** A text that a model is to follow, because a person wrote it or trusts it. */
export interface Instruction {
  /** Path of the file: relative to the root of the project, or in the user's configuration. */
  readonly path: string;
  readonly scope: 'user' | 'project';
  /** Expanded and cleaned. */
  readonly text: string;
}

/** An instruction that is sent with every request; its end may be cut off. */
export function instructionText({path, scope, text}: Instruction): string {
  return `Instructions of ${WHOSE[scope]}, from ${oneLine(path)}:\n<instructions>\n${text.trim()}\n</instructions>`;
}

/** An instruction that is added when a file it applies to is used. */
export function scopedText({path, scope, text}: Instruction, files: string): string {
  return `Instructions of ${WHOSE[scope]} for ${oneLine(files)}, from ${oneLine(path)}:\n<instructions>\n${text.trim()}\n</instructions>`;
}

/** The path in a message that {@link scopedText} made; undefined for every other one. */
export function scopedPath(message: string): string | undefined {
  return SCOPED.exec(message)?.[1];
}

const WHOSE = {user: 'the user', project: 'this project'} as const;
const SCOPED = /^Instructions of (?:the user|this project) for [^\n]*, from ([^\n]+):\n<instructions>\n/;

/** A path on one line, without power to look like another. */
export function oneLine(path: string): string {
  return escapeInvisible(path).text.replaceAll('\n', '\\n');
}
