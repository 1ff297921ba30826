import type {PlanRange} from './plan-question.ts';

/** A piece of a plan that is chosen as one: a line, or a table. */
export interface PlanUnit extends PlanRange {
  readonly source: string;
  readonly isBlank: boolean;
  /** Level of a heading, 1 to 6; otherwise 0. Fenced blocks have no headings. */
  readonly level: number;
}

/** Splits a plan into units that can be selected. */
export function planUnits(plan: string): readonly PlanUnit[] {
  const lines = plan.split(/\r?\n/);
  const units: PlanUnit[] = [];
  let fence: string | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const length = fence === undefined ? tableLength(lines, at) : 1;
    const source = lines.slice(at, at + length).join('\n');
    const level = fence === undefined ? (/^ {0,3}(#{1,6})(?:\s|$)/.exec(source)?.[1]?.length ?? 0) : 0;
    units.push({first: at + 1, last: at + length, source, isBlank: source.trim() === '', level});
    fence = fenceAfter(fence, source);
    at += length - 1;
  }
  return units;
}

/** Returns the units of the section that one belongs to: from its heading to the next of the same level or above. */
export function sectionAround(units: readonly PlanUnit[], at: number): {readonly first: number; readonly last: number} {
  const first = Math.max(
    0,
    units.slice(0, at + 1).findLastIndex(({level}) => level > 0),
  );
  const level = units[first]?.level ?? 0;
  const next = units.findIndex((unit, index) => index > Math.max(at, first) && unit.level > 0 && (level === 0 || unit.level <= level));
  const last = units.slice(0, next < 0 ? units.length : next).findLastIndex(({isBlank}) => !isBlank);
  return {first, last: Math.max(first, last)};
}

/** The fence that is open after a line. */
function fenceAfter(open: string | undefined, line: string): string | undefined {
  const [, marker] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
  if (marker === undefined) return open;
  if (open === undefined) return marker;
  return marker.startsWith(open) && line.trim() === marker ? undefined : open;
}

/** Returns the number of lines of the table that begins here; 1 if none does. */
function tableLength(lines: readonly string[], at: number): number {
  if (!/^ {0,3}\|/.test(lines[at] ?? '') || !/^ {0,3}\|[ \t|:-]*-[ \t|:-]*$/.test(lines[at + 1] ?? '')) return 1;
  const end = lines.findIndex((line, index) => index > at && !/^ {0,3}\|/.test(line));
  return (end < 0 ? lines.length : end) - at;
}
