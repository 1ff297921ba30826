import {parse} from 'yaml';
import {isJsonObject, type Json} from '../../base/json.ts';
import {expandBracesIn} from '../../search/glob/brace-expansion.ts';
import {splitFrontMatter} from '../../tools/operations/meta/load-skill-front-matter.ts';
import {byteText} from '../../workspace/ignore/byte-text.ts';
import {parseIgnoreLine, type IgnorePattern} from '../../workspace/ignore/ignore-pattern.ts';

export interface RuleFile {
  /** Globs of the files that it is for; empty: for all. */
  readonly globs: readonly string[];
  readonly body: string;
}

/**
 * Reads a file of rules: `paths` in its front matter, a glob or a list of them, selects the files. Returns a
 * problem if the front matter is broken.
 */
export function readRuleFile(text: string): RuleFile | {readonly problem: string} {
  const parts = splitFrontMatter(text);
  if (parts === undefined) return {globs: [], body: text};
  const fields = fieldsOf(parts.yaml);
  if (fields === undefined) return {problem: 'its front matter is not a YAML table'};
  const {paths = []} = fields;
  const globs = typeof paths === 'string' ? [paths] : paths;
  const isList = Array.isArray(globs) && globs.every((glob) => typeof glob === 'string' && glob !== '');
  return isList
    ? {globs: (globs as readonly string[]).slice(0, MOST_GLOBS), body: parts.body}
    : {problem: '`paths` must be a list of globs'};
}

const MOST_GLOBS = 100;

function fieldsOf(yaml: string): Readonly<Record<string, Json | undefined>> | undefined {
  for (const text of [yaml, quoted(yaml)]) {
    try {
      const value: unknown = parse(text, {maxAliasCount: 0, logLevel: 'error'});
      if (value === null || isJsonObject(value)) return value ?? {};
    } catch {
      // the next form, or no YAML
    }
  }
  return undefined;
}

/** Many authors write globs without quotes, where YAML takes a star for an alias and a brace for a table: tried again with quotes. */
function quoted(yaml: string): string {
  return yaml
    .split('\n')
    .map((line) => {
      const [, before, value = ''] = /^(\s*-\s+|paths:\s+)([^\s"'|>#].*?)\s*$/.exec(line) ?? [];
      if (before === undefined) return line;
      const items = /^\[(.*)\]$/.exec(value)?.[1]?.split(/,(?![^{]*\})/) ?? [value];
      const globs = items.map((item) => JSON.stringify(item.trim().replace(/^(["'])(.*)\1$/, '$2')));
      return `${before}${value.startsWith('[') ? `[${globs.join(', ')}]` : (globs[0] ?? '')}`;
    })
    .join('\n');
}

/**
 * A test of paths, from the root of the project: globs as in .gitignore, with braces. A glob without `/` is for names at every depth, one
 * that fits a folder is for everything in it.
 */
export function matchesGlobs(globs: readonly string[]): (path: string) => boolean {
  const patterns = globs.flatMap((glob) =>
    [glob, ...(expandBracesIn(glob) ?? [])].flatMap((text) => parseIgnoreLine(byteText(text.replace(/^\.\//, '/')), false) ?? []),
  );
  return (path) => {
    const names = byteText(path).split('/');
    return patterns.some((pattern) => names.some((_, index) => fits(pattern, names.slice(0, index + 1), index === names.length - 1)));
  };
}

function fits({name, path, directoryOnly, negated}: IgnorePattern, names: readonly string[], isFile: boolean): boolean {
  if (negated || (directoryOnly && isFile)) return false;
  return name?.matches(names.at(-1) ?? '') ?? path?.matches(names.join('/')) ?? false;
}
