import type {ParsedSummary} from './parse-summary.ts';

/**
 * Removes statements from a summary that its transcript does not support: lines that pose as somebody's words,
 * names and numbers that do not occur in it, checks reported as passed without a result that says so. Small
 * models invent such lines. Undefined if little is left.
 */
export function checkedSummary(summary: ParsedSummary, known: string): ParsedSummary | undefined {
  const source = known.toLowerCase();
  const words = new Set(wordsOf(source));
  const isBorneOut = (line: string): boolean => !POSES.test(line) && !claimsCheck(line, source) && namesOnly(line, source);
  const isFact = (line: string): boolean => isBorneOut(line) && isGrounded(line, words);
  const lines = summary.text.split('\n');
  const kept = lines.filter((line) => HEADING.test(line) || NOTHING.test(line) || line.trim() === '' || isBorneOut(line));
  const {facts = [], constraints = [], open_questions: questions = []} = summary.note;
  const note = {
    facts: facts.filter(({fact, source: from}) => isFact(fact) && (from === 'summary' || namesOnly(from, source))),
    constraints: constraints.filter((line) => isQuoted(line, {source, words})),
    open_questions: questions.filter((line) => isBorneOut(line)),
  };
  const total = contentOf(lines) + facts.length + constraints.length + questions.length;
  const left = contentOf(kept) + note.facts.length + note.constraints.length + note.open_questions.length;
  if (left === 0 || left < total * LEAST_LEFT || isNoise(summary.text, words)) return undefined;
  return {text: withoutEmptySections(kept), note};
}

/** A summary of which less than this share is supported is rejected. */
const LEAST_LEFT = 0.3;

const HEADING = /^#{1,4}\s/;
const NOTHING = /^\s*[-*•]?\s*(?:none|n\/a)\.?\s*$/i;
const POSES = /^\s*(?:[-*•]\s*)?(?:PERSON|USER|HUMAN|MODEL|ASSISTANT|SYSTEM|RESULT(?: of \S+)?|CALL \S+)\s*:/;
const PASSED = /\b(?:tests?|suite|checks?|build|lint|types?|ci)\b.{0,60}\b(?:pass(?:e[sd]|ing)?|succe(?:ss|eds?|eded)|green|ok)\b/i;
/** Patterns with which checking programs report success. */
const RESULT_PASSED = /\bpass(?:ed|ing)?\b|\b0 (?:failed|failures|errors)\b|\bfail 0\b|^ok\s|exit(?: code)? 0\b/m;
const IS_OPEN = /\b(?:not|never|fail\w*|until|should|must|to|if|whether)\b/i;

function claimsCheck(line: string, source: string): boolean {
  if (!PASSED.test(line) || IS_OPEN.test(line)) return false;
  return !source
    .split(/^(?=result of |person: |model: |call )/m)
    .some((block) => block.startsWith('result of ') && RESULT_PASSED.test(block));
}

interface Known {
  readonly source: string;
  readonly words: ReadonlySet<string>;
}

/** True if every name and number of a line occurs in the source. */
function namesOnly(line: string, source: string): boolean {
  return exactOf(line).every((name) => source.includes(name));
}

/** True if enough distinctive words of a line occur in the source. */
function isGrounded(line: string, words: ReadonlySet<string>): boolean {
  const own = wordsThatMatter(line);
  return own.length < FEW_WORDS || own.filter((word) => words.has(word)).length >= own.length * LEAST_KNOWN;
}

/** Fewer words than this prove nothing. */
const FEW_WORDS = 3;
/** Share of words that may be the summary's own. */
const LEAST_KNOWN = 0.3;

/** A text that has next to nothing to do with its source. */
function isNoise(text: string, words: ReadonlySet<string>): boolean {
  const own = wordsThatMatter(text);
  return own.length >= 12 && own.filter((word) => words.has(word)).length < own.length * LEAST_SHARED;
}

const LEAST_SHARED = 0.15;

function wordsThatMatter(text: string): readonly string[] {
  return wordsOf(text.toLowerCase()).filter((word) => word.length >= 4);
}

/** True if almost all words of a constraint are in the transcript. */
function isQuoted(line: string, {source, words}: Known): boolean {
  const own = wordsOf(line.toLowerCase());
  return (
    !POSES.test(line) &&
    exactOf(line).every((name) => source.includes(name)) &&
    own.filter((word) => words.has(word)).length >= own.length * 0.7
  );
}

/** Lists the words that must be preserved exactly: numbers of two digits and more, paths, names with signs in them, quoted code. */
function exactOf(line: string): readonly string[] {
  const quoted = [...line.matchAll(/`([^`\s]{2,80})`/g)].map(([, name = '']) => name);
  const numbers = line.match(/(?<![\p{L}\p{N}_.-])\d{2,}(?![\p{L}\p{N}_])/gu) ?? [];
  const paths = line.match(/[\p{L}\p{N}_.-]+(?:\/[\p{L}\p{N}_.-]+)+|[\p{L}\p{N}_-]+\.[a-z]{1,5}(?=[:\s,;)\]]|$)/gu) ?? [];
  return [...quoted, ...numbers, ...paths].map((name) => name.toLowerCase().replace(/[.,:;]+$/, ''));
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+/gu) ?? [];
}

function contentOf(lines: readonly string[]): number {
  return lines.filter((line) => line.trim() !== '' && !HEADING.test(line) && !NOTHING.test(line)).length;
}

function withoutEmptySections(lines: readonly string[]): string {
  const kept = lines.filter(
    (line, at) => !HEADING.test(line) || (lines.slice(at + 1).find((next) => next.trim() !== '') ?? '# ').match(HEADING) === null,
  );
  return kept.join('\n').trim();
}
