import type {ParsedRule} from './parse-rule.ts';
import {fitsPattern, fitsParts, patternsOverlap, patternParts, type PatternParts} from '../pattern.ts';
import {pathSegments, shortFormOf} from '../places/path-segments.ts';
import {globMatches, type GlobReader} from '../shell/shell-glob.ts';

/** The names that a file may have in a rule. */
export interface PathNames {
  /** Absolute. */
  readonly path: string;
  /** To the workspace. */
  readonly relative: string;
  readonly inside: boolean;
  /** The requested path, if it differs: a link, or a path with `..`. */
  readonly requested?: string | undefined;
}

/**
 * Wide, for deny and ask rules: by any of its names, as a careless file system would compare them; as the folder that a rule is about, and
 * as what is below a folder that a rule names; even if a shell glob could become the file.
 */
export function ruleMatchesPath({pattern}: ParsedRule, {all, reader}: ComparedNames): boolean {
  const {rules, long, wide} = patternsOf(pattern);
  if (reader === 'none') return all.some((name) => wide.some((rule) => fitsParts(rule, name)));
  const matches = reader === 'shell' ? globMatches : patternsOverlap;
  // A star matches the long names of a folder; the short ones have to be written out.
  return all.some((name) => (name.includes('~') ? rules : long).some((rule) => matches(rule, name)));
}

/** The names of a file as {@link ruleMatchesPath} compares them: found once, compared with each rule. */
export interface ComparedNames {
  readonly all: readonly string[];
  readonly reader: GlobReader;
}

export function comparedNames(names: PathNames, reader: GlobReader = 'none'): ComparedNames {
  const all = namesOf(names);
  return {all: reader === 'any' ? all.map((name) => name.replaceAll(/\?|\[[^\]]*\]|\$\{?\w+\}?/g, '*')) : all, reader};
}

interface Patterns {
  readonly rules: readonly string[];
  /** Without the short names of FAT. */
  readonly long: readonly string[];
  /** `secrets` and `secrets/` also mean everything inside. */
  readonly wide: readonly PatternParts[];
}

function withBelow(rule: string): string[] {
  return /[^*/]\/?$/.test(rule) ? [rule, `${rule.replace(/\/$/, '')}/*`] : [rule];
}

/** A pattern in all its forms: home folders by `~` and by their path, and the FAT short name of its last part. */
function patternsOf(pattern: string): Patterns {
  const known = cachedPatterns.get(pattern);
  if (known !== undefined) return known;
  const rule = pattern.normalize('NFKC').toLowerCase().replace(/^\.\//, '');
  const home = /^~(\/.*)$/s.exec(rule)?.[1];
  const below = /^\/(?:(?:home|users)\/[^/*]+|root)(\/.*)$/s.exec(rule)?.[1];
  const long = [
    rule,
    ...(home === undefined ? [] : [`/home/*${home}`, `/users/*${home}`, `/root${home}`]),
    ...(below === undefined ? [] : [`~${below}`]),
  ];
  const rules = [...long, ...shortPattern(rule)];
  if (cachedPatterns.size > MAX_CACHED_PATTERNS) cachedPatterns.clear();
  const all = {rules, long, wide: rules.flatMap(withBelow).map(patternParts)};
  cachedPatterns.set(pattern, all);
  return all;
}

const cachedPatterns = new Map<string, Patterns>();
const MAX_CACHED_PATTERNS = 1000;

/** `**` + `/.env` is `**` + `/env~*` there. */
function shortPattern(rule: string): string[] {
  const name = rule.slice(rule.lastIndexOf('/') + 1);
  if (name === '' || name.includes('*') || !/^\.|[^.]{9}|\.[^.]{4}/.test(name)) return [];
  const [base = '', ending] = shortFormOf(name).split('.');
  return [`${rule.slice(0, -name.length)}${base}~*${ending === undefined ? '' : `.${ending}`}`];
}

function namesOf({path, relative, requested}: PathNames): string[] {
  const candidates = [path, relative, `/${relative}`, ...(requested === undefined ? [] : [requested, `/${requested}`])];
  const all = candidates.flatMap((name) => {
    // `.env `, `.env::$DATA` and `.env/` are `.env` for one file system or another; so is an invisible character for the reader.
    const plain = pathSegments(name)
      .join('/')
      .replace(/(?<=.)\/+$/, '');
    return plain === '' ? [name.toLowerCase()] : [name.toLowerCase(), plain, `${plain}/`];
  });
  return [...new Set(all)];
}

/** Narrow, for allow rules: its real name, and outside the workspace only a rule that says so (`/tmp/*`, `~/notes/*`). */
export function allowsPath({pattern}: ParsedRule, {path, relative, inside}: PathNames): boolean {
  if (!inside) return /^[/~]/.test(pattern) && fitsPattern(pattern, path);
  return fitsPattern(pattern.replace(/^\.\//, ''), relative) || fitsPattern(pattern, path);
}

/** True if the rule names exactly the part of the path that makes it protected: `write:.vscode/*` and `read:.env*`, but not `write:*`. */
export function namesProtected({pattern}: ParsedRule, isProtected: (path: string) => boolean): boolean {
  return isProtected(pattern.replaceAll('*', 'x')) || isProtected(pattern.replaceAll('*', ''));
}
