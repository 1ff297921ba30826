import {counted} from '../../../base/counted.ts';

export interface LineLimit {
  readonly lines: number;
  readonly chars: number;
}

/** The beginning of a text, and how much is left out. */
export function onlyHead(text: string, limit: LineLimit): string {
  const all = text.split('\n');
  if (fits(text, all, limit)) return text;
  const kept = within(all, limit);
  return [...kept, ...leftOut(all.length - kept.length)].join('\n');
}

/** The end of a text, and how much is left out. */
export function onlyTail(text: string, limit: LineLimit): string {
  const all = text.split('\n');
  if (fits(text, all, limit)) return text;
  const kept = within(all.toReversed(), limit).toReversed();
  return [...leftOut(all.length - kept.length), ...kept].join('\n');
}

/** Whole lines; of the first one that is too long its beginning. */
function within(lines: readonly string[], limit: LineLimit): readonly string[] {
  let chars = 0;
  const kept = lines.slice(0, limit.lines).filter((line) => (chars += line.length + 1) <= limit.chars);
  const [first] = lines;
  return kept.length === 0 && first !== undefined ? [`${first.slice(0, limit.chars)}…`] : kept;
}

function fits(text: string, lines: readonly string[], limit: LineLimit): boolean {
  return lines.length <= limit.lines && text.length <= limit.chars;
}

function leftOut(lines: number): readonly string[] {
  return lines === 0 ? [] : [`… ${counted(lines, 'line')} left out`];
}
