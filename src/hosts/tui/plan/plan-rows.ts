import {span, type Line} from '../cells/line.ts';
import {missingLanguages} from '../views/code/highlight-code.ts';
import {MARKDOWN_START, type RenderedMarkdown} from '../model/printed.ts';
import {renderStream} from '../views/markdown/render-markdown.ts';
import {plainLines} from '../views/plain-lines.ts';
import type {PlanQuestion} from './plan-question.ts';
import {planUnits, type PlanUnit} from './plan-units.ts';

/** A unit with its rows, at most as wide as asked for; a blank line is an empty row. */
export interface LaidUnit extends PlanUnit {
  readonly rows: readonly Line[];
}

interface Laid {
  readonly key: string;
  readonly units: readonly LaidUnit[];
}

/** A plan is laid out once for each width, not for each key. */
const laid = new WeakMap<PlanQuestion, Laid>();

/** Lays a plan out, line by line: each row belongs to a unit, and no line is without one. */
export function planRows(question: PlanQuestion, width: number): readonly LaidUnit[] {
  const key = `${width} ${missingLanguages(question.plan).join(' ')}`;
  const known = laid.get(question);
  if (known?.key === key) return known.units;
  let state = MARKDOWN_START;
  const units = planUnits(question.plan).map((unit): LaidUnit => {
    const rendered = unitRows(unit, state, width);
    ({state} = rendered);
    return {...unit, rows: rendered.rows};
  });
  laid.set(question, {key, units});
  return units;
}

function unitRows(
  unit: PlanUnit,
  state: RenderedMarkdown,
  width: number,
): {readonly rows: readonly Line[]; readonly state: RenderedMarkdown} {
  const [, indent = '', text = ''] = state.fence === undefined ? (/^(\s*)([^]*)$/.exec(unit.source) ?? []) : ['', '', unit.source];
  const depth = Math.min(indent.replaceAll('\t', '    ').length, Math.floor(width / 3));
  const {lines, state: next} = renderStream({...state, isApart: false}, `${text}\n`, {width: width - depth});
  const front: Line = depth === 0 ? [] : [span(' '.repeat(depth))];
  if (lines.length > 0) return {rows: lines.map((line) => [...front, ...line]), state: next};
  // Markers of code, comments and definitions: nothing of a plan is hidden from the person who accepts it.
  return {rows: unit.isBlank ? [[]] : plainLines(unit.source, {width, style: ['dim']}), state: next};
}
