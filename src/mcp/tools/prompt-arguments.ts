import type {Prompt} from '@modelcontextprotocol/client';
import {FettleError} from '../../base/errors.ts';

/** A prompt that a server offers to people, under the name that they type after a slash: `mcp__<server>__<prompt>`. */
export interface ServerPrompt {
  readonly name: string;
  /** Clean, on one line; may be empty. */
  readonly description: string;
  readonly arguments: readonly {readonly name: string; readonly required: boolean}[];
  readonly listed: Prompt;
}

/**
 * Parses the text typed after the name of a prompt into its arguments: `name=value` by name, the others in their order, quotes keep words
 * together, and remaining text belongs to the last one. Throws BAD_ARGS if one is missing.
 */
export function promptArguments(
  {name, arguments: wanted}: Pick<ServerPrompt, 'name' | 'arguments'>,
  typed: string,
): Record<string, string> {
  const parsed = new Map<string, string>();
  const loose: string[] = [];
  for (const {text, key, value} of wordsOf(typed)) {
    if (key !== undefined && wanted.some((one) => one.name === key) && !parsed.has(key)) parsed.set(key, value);
    else loose.push(text);
  }
  const free = wanted.filter((one) => !parsed.has(one.name));
  for (const [index, one] of free.entries()) {
    const words = index === free.length - 1 ? loose.slice(index) : loose.slice(index, index + 1);
    if (words.length > 0) parsed.set(one.name, words.join(' '));
  }
  const missing = wanted.filter((one) => one.required && !parsed.has(one.name)).map((one) => one.name);
  if (missing.length === 0 && (free.length > 0 || loose.length === 0)) return Object.fromEntries(parsed);
  const usage = [name, ...wanted.map((one) => (one.required ? one.name : `[${one.name}]`))].join(' ');
  const message = missing.length > 0 ? `The prompt needs ${missing.join(', ')}.` : 'The prompt takes no further arguments.';
  throw new FettleError({code: 'BAD_ARGS', message, hint: `/${usage}`});
}

interface Word {
  readonly text: string;
  readonly key: string | undefined;
  readonly value: string;
}

function wordsOf(typed: string): Word[] {
  return [...typed.matchAll(/(?:([^\s"'=]+)=)?("[^"]*"|'[^']*'|\S+)/g)].map(([, key, rest = '']) => {
    const value = /^(["']).*\1$/s.test(rest) && rest.length > 1 ? rest.slice(1, -1) : rest;
    return {text: key === undefined ? value : `${key}=${value}`, key, value};
  });
}
