import {VOLATILE_PARTS} from './volatile-output.table.ts';

/** Returns an output without the parts that differ in each run: durations, times, ids of processes, temporary paths, colours, seeds. */
export function comparableOutput(text: string): string {
  const stable = VOLATILE_PARTS.reduce((left, {pattern}) => left.replaceAll(pattern, '<…>'), text.replaceAll(ESCAPES, ''));
  return stable.replaceAll(/[^\S\n]+/g, ' ').trim();
}

/** Colours and other sequences for terminals (ECMA-48 › CSI, OSC). */
// oxlint-disable-next-line no-control-regex
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
