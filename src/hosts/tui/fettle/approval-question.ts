import {escapeInvisible} from '../../../base/escape-invisible.ts';
import type {Subject} from '../../../policy/decision.ts';
import {describeRule} from '../../../policy/rules/describe-rule.ts';
import type {ApprovalRequest} from '../../../tools/dispatch/dispatch.ts';
import type {ApprovalQuestion, FileDiff} from '../host-adapter.ts';

type Piece = ApprovalQuestion['subject'][number];

/**
 * Shows the whole call to the person who decides on it: commands with their folder, paths with their real targets, every argument
 * (CVE-2026-25805). The reason for the question is marked; invisible characters are escaped; what a model says of its own call is marked as such.
 */
export function approvalQuestion(request: ApprovalRequest, diffs: readonly FileDiff[]): ApprovalQuestion {
  const {callId, toolName, agent, decision, subjects} = request;
  const rows = [...subjects.map((subject) => subjectPieces(subject, request)), ...argumentPieces(request, diffs.length > 0)];
  return {
    id: callId,
    tool: shown(toolName),
    agent,
    reason: shown(decision.reason),
    subject: rows.flatMap((row, index) => (index === 0 ? row : [{text: '\n'}, ...row])),
    diffs,
    rules: decision.offers.map((rule) => ({rule: shown(rule), meaning: shown(describeRule(rule))})),
  };
}

function shown(text: string): string {
  return escapeInvisible(text).text;
}

/** A name must not look like several lines. */
function oneLine(text: string): string {
  return shown(text)
    .replaceAll('\n', String.raw`\u000a`)
    .replaceAll('\t', String.raw`\u0009`);
}

function subjectPieces(subject: Subject, {decision}: ApprovalRequest): readonly Piece[] {
  const open = decision.parts.filter(({verdict}) => verdict !== 'allow').map(({text}) => text);
  if (subject.kind === 'name') return [{text: oneLine(subject.name)}];
  if (subject.kind === 'command') {
    const {command, cwd, workspace} = subject;
    const folder = workspace === undefined || workspace === cwd ? [] : [{text: `\nin ${oneLine(cwd)}`}];
    return [...markedPieces(command, open), ...folder];
  }
  const {requested, path, relative, inside, write} = subject;
  const real = inside && relative !== '' ? relative : path;
  const isKnown = requested === undefined || [real, path, `./${real}`].includes(requested);
  const place: Piece = inside ? {text: oneLine(real)} : {text: oneLine(real), risky: true};
  return [{text: write ? 'write ' : 'read '}, place, ...(isKnown ? [] : [{text: ` (asked for as ${oneLine(requested)})`}])];
}

/** Splits the text where one of the parts occurs in it; a part that is written differently there marks nothing. */
function markedPieces(command: string, parts: readonly string[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const {start, end} of placesOf(command, parts)) {
    if (end <= at) continue;
    if (start > at) pieces.push({text: shown(command.slice(at, start))});
    pieces.push({text: shown(command.slice(Math.max(at, start), end)), risky: true});
    at = end;
  }
  return at < command.length ? [...pieces, {text: shown(command.slice(at))}] : pieces;
}

function placesOf(command: string, parts: readonly string[]): readonly {start: number; end: number}[] {
  const places = [...new Set(parts)].flatMap((part) => {
    const start = part === '' ? -1 : command.indexOf(part);
    return start < 0 ? [] : [{start, end: start + part.length}];
  });
  return places.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** Fields that the subjects or the diffs show already; they are not repeated. */
const SHOWN_FIELDS = new Set(['command', 'path', 'file_path', 'filepath']);
const IN_DIFF = new Set(['content', 'old_string', 'new_string', 'old_text', 'new_text', 'patch', 'diff', 'edits', 'replace_all', 'blocks']);
const OPINIONS = new Set(['description', 'explanation', 'reason', 'justification', 'purpose', 'intent']);

function argumentPieces({input, subjects}: ApprovalRequest, hasDiffs: boolean): readonly (readonly Piece[])[] {
  if (typeof input !== 'object' || input === null) return [];
  const isReported = subjects.some(({kind}) => kind !== 'name');
  return Object.entries(input).flatMap(([name, value]) => {
    if (value === undefined || (isReported && SHOWN_FIELDS.has(name)) || (hasDiffs && IN_DIFF.has(name))) return [];
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    const label = OPINIONS.has(name) ? `the model says (${oneLine(name)})` : oneLine(name);
    return [[{text: `${label}: ${shown(text)}`}]];
  });
}
