import {readLineRange} from '../../src/workspace/read-line-range.ts';

/** Run as a process of its own: reads ten lines of a file and prints them, and how much the memory grew at most. */
const [path = '', firstLine = '1'] = process.argv.slice(2);
const before = process.resourceUsage().maxRSS;
const read = await readLineRange(path, {firstLine: Number(firstLine), maxLines: 10}, new AbortController().signal);
const {lines, totalLines, lastLineCut} = read;
const growth = (process.resourceUsage().maxRSS - before) * 1024;
console.log(
  JSON.stringify({first: lines[0]?.slice(0, 20), length: lines[0]?.length, count: lines.length, totalLines, cut: lastLineCut, growth}),
);
