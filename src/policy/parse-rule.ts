import {FettleError} from '../base/errors.ts';
import type {Rule} from './decision.ts';
import {fitsPattern} from './pattern.ts';

/** A rule, read once. */
export interface ParsedRule {
  readonly rule: Rule;
  /** True where the rule speaks of this tool. */
  readonly namesTool: (tool: string) => boolean;
  /** What stands behind the colon, blanks made single; `*` where there is no colon. */
  readonly pattern: string;
  /** The pattern at its blanks. */
  readonly words: readonly string[];
}

/**
 * Reads `tool:pattern` (microcode tools › permission rules; vibe tool system › wildcard rule).
 * `tool` alone means `tool:*`. The tool part is a name, a glob (`mcp__*`), or a regular expression behind `re:` (`re:^(write|edit)$:src/*`).
 * Throws CONFIG where that is not what stands there.
 */
export function parseRule(rule: Rule): ParsedRule {
  const {tool, pattern} = split(rule);
  const words = pattern.trim().split(/\s+/);
  if (words[0] === '') throw broken(rule, 'it has no pattern', 'Write what it is about behind the colon, or `*` for everything.');
  return {rule, namesTool: toolTest(tool, rule), pattern: words.join(' '), words};
}

function split(rule: Rule): {tool: string; pattern: string} {
  const text = rule.text.trim();
  const start = text.startsWith('re:') ? text.indexOf(':', 3) : text.indexOf(':');
  const tool = start === -1 ? text : text.slice(0, start);
  if (tool === '' || tool === 're:') throw broken(rule, 'it names no tool', 'A rule is `tool:pattern`, for example `bash:cargo *`.');
  return {tool, pattern: start === -1 ? '*' : text.slice(start + 1)};
}

function toolTest(tool: string, rule: Rule): (name: string) => boolean {
  if (!tool.startsWith('re:')) {
    if (!/^[\w*./-]+$/.test(tool))
      throw broken(rule, `"${tool}" is no name of a tool`, 'A rule is `tool:pattern`, for example `bash:cargo *`.');
    return tool.includes('*') ? (name) => fitsPattern(tool, name) : (name) => name === tool;
  }
  // Names of tools are short, and rules come from a person's own files: no pattern of a stranger runs here.
  try {
    const expression = new RegExp(`^(?:${tool.slice(3)})$`, 'u');
    return (name) => expression.test(name.slice(0, 200));
  } catch {
    throw broken(rule, 'its regular expression cannot be read', 'Check the part between `re:` and the next colon.');
  }
}

function broken(rule: Rule, what: string, hint: string): FettleError {
  return new FettleError({code: 'CONFIG', message: `The permission rule "${rule.text}" (${rule.source}) is wrong: ${what}.`, hint});
}
