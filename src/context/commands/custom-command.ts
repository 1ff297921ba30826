import {parse} from 'yaml';
import {isJsonObject} from '../../base/json.ts';
import {splitFrontMatter} from '../../tools/operations/meta/load-skill-front-matter.ts';
import {cleanText} from '../instructions/clean-text.ts';

/** A prompt that a person keeps under a name. */
export interface CustomCommand {
  /** Without the slash; a folder comes first, followed by a colon. */
  readonly name: string;
  readonly description: string;
  /** Hint at the arguments that the command takes, for people. */
  readonly argumentHint: string;
  /** With its places for arguments. */
  readonly body: string;
  readonly file: string;
  /** True for one of a trusted project; those of the user are stronger. */
  readonly isProject: boolean;
}

/**
 * Reads the file of a command: `description` and `argument-hint` in its front matter, all else is the prompt. Nothing in it is run, and no file
 * that it names is read: the model does that, under the rules.
 */
export function readCommand(
  text: string,
  place: Pick<CustomCommand, 'name' | 'file' | 'isProject'>,
): CustomCommand | {readonly problem: string} {
  const parts = splitFrontMatter(text) ?? {yaml: '', body: text};
  const fields = fieldsOf(parts.yaml);
  if (fields === undefined) return {problem: 'its front matter is not a YAML table'};
  const body = cleanText(parts.body).text.trim();
  if (body === '') return {problem: 'it is empty'};
  const {description, 'argument-hint': hint} = fields;
  const firstLine = body.split('\n', 1)[0] ?? '';
  return {...place, body, description: shown(description) ?? shown(firstLine) ?? '', argumentHint: shown(hint) ?? ''};
}

function fieldsOf(yaml: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parse(yaml, {maxAliasCount: 0, logLevel: 'error'});
    return value === null ? {} : isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** One line; many authors write `[file]` without quotes, which YAML takes for a list. */
function shown(value: unknown): string | undefined {
  const text = Array.isArray(value) ? `[${value.join(', ')}]` : value;
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  const line = cleanText(text).text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= MOST_CHARS ? line : `${line.slice(0, MOST_CHARS).toWellFormed()}…`;
}

const MOST_CHARS = 120;
