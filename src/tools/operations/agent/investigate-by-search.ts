import type {GrepMatch} from '../../../search/engine.ts';
import type {ToolContext} from '../../context.ts';
import type {InvestigateArgs, InvestigateResult} from './investigation.ts';
import {keywordsOf} from '../search/keywords.ts';

/** Looks for the words of the objective in the text and the names of files; the files with the most matches are the findings. */
export async function investigateBySearch(asked: InvestigateArgs, ctx: ToolContext): Promise<InvestigateResult> {
  const words = keywordsOf(asked.objective).slice(0, Math.min(MAX_WORDS, asked.maxToolCalls));
  const namesToo = words.length < asked.maxToolCalls;
  const [texts, names] = await Promise.all([
    Promise.all(words.map((word) => matchesOf(word, asked.scope, ctx))),
    namesToo ? fileNames(ctx) : undefined,
  ]);
  const hits = new Map(words.map((word, index) => [word, texts[index] ?? []]));
  const findings = rank(hits, asked.scope.length === 0 ? (names ?? []) : []);
  const missing = words.filter((word) => hits.get(word)?.length === 0);
  return {
    method: 'search',
    findings,
    gaps: gapsOf(missing, words),
    confidence: confidenceOf(findings.length, missing.length / words.length),
    searched: words.map((word) => `"${word}" in ${asked.scope.length === 0 ? 'all files' : asked.scope.join(', ')}`),
    turnsUsed: 1,
    toolCalls: words.length + (namesToo ? 1 : 0),
  };
}

const MAX_WORDS = 8;
const MAX_FINDINGS = 12;
/** Most matches of one word; a word with more does not help. */
const MAX_MATCHES = 400;
const MAX_EVIDENCE = 4;

async function matchesOf(word: string, globs: readonly string[], {search, workspace, signal}: ToolContext): Promise<readonly GrepMatch[]> {
  const query = {
    root: workspace.root,
    pattern: word,
    globs,
    caseInsensitive: true,
    multiline: false,
    contextLines: 0,
    maxMatches: MAX_MATCHES,
    maxLineChars: 300,
    maxFileBytes: 1_000_000,
    hidden: false,
    ignoreFiles: true,
    requireGit: false,
    timeoutMs: 8000,
  };
  return (await search.grep(query, signal)).matches;
}

async function fileNames({search, workspace, signal}: ToolContext): Promise<readonly string[]> {
  const query = {root: workspace.root, hidden: false, ignoreFiles: true, requireGit: false, order: 'path' as const, limit: 20_000};
  return (await search.files(query, signal)).paths;
}

interface Hit {
  readonly line: number;
  /** The line on which something with the word in its name is defined. */
  readonly definition: string | undefined;
}

interface Candidate {
  readonly path: string;
  readonly words: Set<string>;
  readonly hits: Hit[];
  score: number;
}

/** A word in the name of a file or in a definition counts more than any other mention; one that occurs everywhere counts little. */
function rank(hits: ReadonlyMap<string, readonly GrepMatch[]>, names: readonly string[]): InvestigateResult['findings'] {
  const files = new Map<string, Candidate>();
  const candidate = (path: string): Candidate => {
    const known = files.get(path) ?? {path, words: new Set<string>(), hits: [], score: 0};
    files.set(path, known);
    return known;
  };
  for (const [word, matches] of hits) {
    const weight = matches.length < MAX_MATCHES ? 3 : 1;
    for (const {path, line, text} of matches) {
      const file = candidate(path);
      const definition = defines(text, word) ? text : undefined;
      const isFirst = !file.hits.some((hit) => hit.definition !== undefined);
      file.score += (file.words.has(word) ? 0 : weight) + (definition !== undefined && isFirst ? 2 * weight : 0);
      file.words.add(word);
      file.hits.push({line, definition});
    }
    for (const path of names.filter((name) => name.toLowerCase().includes(word))) {
      const file = candidate(path);
      file.words.add(word);
      file.score += weight + 1;
    }
  }
  const best = [...files.values()].sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  return best.slice(0, MAX_FINDINGS).map(findingOf);
}

function findingOf({path, words, hits}: Candidate): InvestigateResult['findings'][number] {
  const definition = hits.find((hit) => hit.definition !== undefined)?.definition;
  const isDefinition = (hit: Hit): number => Number(hit.definition !== undefined);
  const lines = [...new Set(hits.toSorted((a, b) => isDefinition(b) - isDefinition(a) || a.line - b.line).map(({line}) => line))];
  const named = [...words].join(', ');
  if (lines.length === 0) return {claim: `${path} is named after ${named}`, evidence: [path]};
  const shown = definition === undefined ? '' : `; it defines \`${definition.trim().slice(0, 120)}\``;
  return {
    claim: `${path} has ${named} in ${lines.length} ${lines.length === 1 ? 'line' : 'lines'}${shown}`,
    evidence: lines.slice(0, MAX_EVIDENCE).map((line) => `${path}:${line}`),
  };
}

/** True for a line that defines a name with the word in it. */
function defines(text: string, word: string): boolean {
  const name = /\b(?:function|class|interface|type|enum|struct|trait|impl|def|fn|func|const|let|module|namespace|package)\s+(\w+)/.exec(
    text,
  )?.[1];
  return name?.toLowerCase().includes(word) === true;
}

function gapsOf(missing: readonly string[], words: readonly string[]): string[] {
  const notFound = missing.map((word) => `"${word}" does not occur`);
  const note = 'Words were searched, nothing was understood: read the evidence before you rely on it.';
  return words.length === 0 ? ['The objective has no word to search for.'] : [...notFound, note];
}

/** Never more than medium: adjacent words prove no answer. */
function confidenceOf(findings: number, missing: number): InvestigateResult['confidence'] {
  if (findings === 0) return 'none';
  return findings < 2 || missing > 0.5 ? 'low' : 'medium';
}
