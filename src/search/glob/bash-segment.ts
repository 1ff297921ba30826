import {readBashBracket} from './bash-bracket.ts';
import type {PatternText} from './brace-expansion.ts';

/** One name of a path pattern: takes the code points of a name. */
export type SegmentMatcher = (name: string) => boolean;

/**
 * Compiles one segment (no `/`) of a bash pattern with extglob. `dots`: wildcards also take a leading dot, else only a dot in the pattern does.
 * Time is bounded by pattern × name² : all possible positions are followed at once. Source: bash(1), "Pattern Matching".
 */
export function compileSegment(text: PatternText, dots: boolean): SegmentMatcher {
  const nodes = parseNodes(text);
  const prefix = literalRun(nodes);
  if (prefix.length === nodes.length) return (name) => name === prefix.join('');
  const suffix = literalRun(nodes.toReversed()).reverse();
  const start = prefix.join('');
  const end = suffix.join('');
  const isStarOnly = nodes.length === prefix.length + suffix.length + 1 && nodes[prefix.length]?.kind === 'star';
  const shortest = start.length + end.length;
  const seesDots = dots || namesDot(nodes);
  return (name) => {
    if (name.length < shortest || !name.startsWith(start) || !name.endsWith(end)) return false;
    const isHidden = name.startsWith('.');
    if (isHidden && !seesDots) return false;
    if (isStarOnly) return true;
    const chars = Array.from(name);
    return advance(nodes, [0], {chars, firstWild: dots || !isHidden ? 0 : 1}).includes(chars.length);
  };
}

type Node =
  | {readonly kind: 'literal'; readonly char: string}
  | {readonly kind: 'any'}
  | {readonly kind: 'star'}
  | {readonly kind: 'set'; readonly has: (char: string) => boolean}
  | {readonly kind: 'group'; readonly operator: string; readonly members: readonly (readonly Node[])[]};

function parseNodes(text: PatternText): Node[] {
  const nodes: Node[] = [];
  for (let at = 0; at < text.length;) {
    const {node, end} = parseNode(text, at);
    nodes.push(node);
    at = end;
  }
  return nodes;
}

function parseNode(text: PatternText, at: number): {node: Node; end: number} {
  const char = text[at]?.char ?? '';
  const literal = {node: {kind: 'literal', char}, end: at + 1} as const;
  if (text[at]?.quoted !== false) return literal;
  const close = groupEnd(text, at);
  if (close !== undefined) {
    const members = splitMembers(text.slice(at + 2, close)).map(parseNodes);
    return {node: {kind: 'group', operator: char, members}, end: close + 1};
  }
  if (char === '*') return {node: {kind: 'star'}, end: at + 1};
  if (char === '?') return {node: {kind: 'any'}, end: at + 1};
  const bracket = char === '[' ? readBashBracket(text, at + 1) : undefined;
  return bracket === undefined ? literal : {node: {kind: 'set', has: bracket.has}, end: bracket.end};
}

/** Index of the `)` of a group like `@(…)` that starts here. */
export function groupEnd(text: PatternText, at: number): number | undefined {
  if (!isPlain(text, at, '@?*+!') || !isPlain(text, at + 1, '(')) return undefined;
  let depth = 0;
  for (let i = at + 1; i < text.length; i++) {
    if (isPlain(text, i, '[')) i = (readBashBracket(text, i + 1)?.end ?? i + 1) - 1;
    else if (isPlain(text, i, '(')) depth++;
    else if (isPlain(text, i, ')') && --depth === 0) return i;
  }
  return undefined;
}

function splitMembers(text: PatternText): PatternText[] {
  const members: PatternText[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const close = groupEnd(text, at);
    if (close !== undefined) at = close;
    else if (isPlain(text, at, '[')) at = (readBashBracket(text, at + 1)?.end ?? at + 1) - 1;
    else if (isPlain(text, at, '|')) {
      members.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...members, text.slice(start)];
}

function isPlain(text: PatternText, at: number, wanted: string): boolean {
  const char = text[at];
  return char !== undefined && !char.quoted && wanted.includes(char.char);
}

function literalRun(nodes: readonly Node[]): string[] {
  const end = nodes.findIndex((node) => node.kind !== 'literal');
  return (end < 0 ? nodes : nodes.slice(0, end)).map((node) => (node.kind === 'literal' ? node.char : ''));
}

/** Returns true if bash lets a pattern match names with a leading dot: it starts with a dot, or with a group of which a member does. */
function namesDot(nodes: readonly Node[]): boolean {
  const [first, ...rest] = nodes;
  if (first?.kind === 'literal') return first.char === '.';
  if (first?.kind !== 'group') return false;
  const mayBeEmpty = first.operator === '*' || first.operator === '?';
  if (rest.length === 0 && mayBeEmpty && first.members.length === 1) return false;
  return first.members.some(namesDot) || (mayBeEmpty && namesDot(rest));
}

interface Subject {
  readonly chars: readonly string[];
  /** The first position that a wildcard may take: 1 where a leading dot must be named. */
  readonly firstWild: number;
}

/** All positions where the nodes can end when they start at one of these (ascending, unique). */
function advance(nodes: readonly Node[], starts: readonly number[], subject: Subject): readonly number[] {
  let positions = starts;
  for (const node of nodes) {
    if (positions.length === 0) return positions;
    positions = node.kind === 'group' ? advanceGroup(node, positions, subject) : advanceSimple(node, positions, subject);
  }
  return positions;
}

function advanceSimple(node: Exclude<Node, {kind: 'group'}>, starts: readonly number[], {chars, firstWild}: Subject): readonly number[] {
  if (node.kind === 'star') return spread(starts, chars.length, firstWild);
  const fits = (at: number): boolean => {
    const char = chars[at];
    if (char === undefined) return false;
    if (node.kind === 'literal') return char === node.char;
    return at >= firstWild && (node.kind === 'any' || node.has(char));
  };
  return starts.filter(fits).map((at) => at + 1);
}

/** A star: every start, and everything after the first one that it may take from. */
function spread(starts: readonly number[], length: number, firstWild: number): readonly number[] {
  const blocked = starts.filter((at) => at < firstWild);
  const from = starts.find((at) => at >= firstWild);
  return from === undefined ? blocked : [...blocked, ...Array.from({length: length - from + 1}, (_, i) => from + i)];
}

function advanceGroup(node: Extract<Node, {kind: 'group'}>, starts: readonly number[], subject: Subject): readonly number[] {
  const once = (from: readonly number[]): number[] => node.members.flatMap((member) => advance(member, from, subject));
  if (node.operator === '!') return unique(starts.flatMap((start) => complement(start, once([start]), subject)));
  if (node.operator === '@') return unique(once(starts));
  if (node.operator === '?') return unique([...starts, ...once(starts)]);
  const reached = new Set<number>();
  for (let front: readonly number[] = starts; front.length > 0;) {
    front = unique(once(front)).filter((at) => !reached.has(at));
    for (const at of front) reached.add(at);
  }
  return unique(node.operator === '*' ? [...starts, ...reached] : [...reached]);
}

function complement(start: number, ends: readonly number[], {chars, firstWild}: Subject): number[] {
  const taken = new Set(ends);
  if (start < firstWild) return [];
  return Array.from({length: chars.length - start + 1}, (_, i) => start + i).filter((at) => !taken.has(at));
}

function unique(positions: readonly number[]): number[] {
  return [...new Set(positions)].sort((a, b) => a - b);
}
