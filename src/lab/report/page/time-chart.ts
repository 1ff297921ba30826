import type {RolloutResult} from '../../rollout/rollout.ts';
import {duration} from '../figures.ts';
import {hasPassed, isJudged} from '../measures.ts';
import {variantName} from '../make-report.ts';
import type {VariantMeasures} from '../report.ts';
import {across, axis, axisRow, chartRow, figure, gridLines, picture, span, titled} from './svg.ts';

const HEIGHT = 44;
/** More dots of one variant than this are thinned out evenly: a page has to stay light. */
const MOST_DOTS = 300;

/** The time of each rollout, on a logarithmic axis. */
export function timeChart(variants: readonly VariantMeasures[], results: readonly RolloutResult[]): string {
  const judged = results.filter((result) => isJudged(result) && result.agentMs > 0);
  if (judged.length === 0) return '';
  const times = judged.map(({agentMs}) => agentMs);
  const scale = logScale(
    times.reduce((a, b) => Math.min(a, b)),
    times.reduce((a, b) => Math.max(a, b)),
  );
  const byVariant = Map.groupBy(judged, ({key}) => variantName(key));
  const rows = variants.map((variant) => rowOf(variant, byVariant.get(variant.name) ?? [], scale));
  const caption =
    'Each dot is one rollout: filled passed, hollow failed. The bar goes from the 10th to the 90th percentile, the line in it is the median. The axis is logarithmic.';
  return figure('time', {title: 'Time of the agent', caption}, [
    ...rows,
    axisRow(axis(scale.ticks.map((ms) => ({at: scale.place(ms), label: duration(ms)})))),
  ]);
}

interface Scale {
  readonly ticks: readonly number[];
  readonly place: (ms: number) => number;
}

function logScale(least: number, most: number): Scale {
  const inside = STEPS.filter((ms) => ms >= least && ms <= most);
  const from = STEPS.findLast((ms) => ms <= least) ?? least;
  const to = STEPS.find((ms) => ms >= most && ms > from) ?? most;
  const place = (ms: number): number => Math.log(ms / from) / Math.log(to / from);
  const all = [...new Set([from, ...inside, to])].toSorted((a, b) => a - b);
  // Labels that would touch each other are left out.
  const every = Math.ceil(all.length / 6);
  return {ticks: all.filter((_, index) => index % every === 0), place};
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const STEPS = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  ...[1, 2, 5, 10, 20, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 20, 30].map((count) => count * MINUTE),
  ...[1, 2, 5, 10, 20, 50, 100, 1000].map((count) => count * HOUR),
];

function rowOf({name, agentMs}: VariantMeasures, results: readonly RolloutResult[], {ticks, place}: Scale): string {
  const lines = gridLines(ticks.map(place), HEIGHT);
  if (agentMs === null || results.length === 0) return chartRow(name, picture('Nothing was judged', HEIGHT, lines), '–');
  const {p10, median, p90} = agentMs;
  const words = `Median ${duration(median)}, from ${duration(p10)} (10th percentile) to ${duration(p90)} (90th)`;
  const [low, mid, high] = [p10, median, p90].map((ms) => place(Math.max(1, ms)));
  const sorted = results.toSorted((a, b) => a.agentMs - b.agentMs);
  const every = Math.ceil(sorted.length / MOST_DOTS);
  const dots = sorted.flatMap((result, index) => (index % every === 0 ? [dot(result, index, place)] : []));
  const svg = picture(words, HEIGHT, [
    ...lines,
    titled(
      words,
      `<rect class="interval" x="${across(low ?? 0)}" width="${span(low ?? 0, high ?? 0)}" y="6" height="${HEIGHT - 12}" rx="4"/>`,
    ),
    ...dots,
    // Above the dots, which would cover it where there are many.
    titled(words, `<line class="median" x1="${across(mid ?? 0)}" x2="${across(mid ?? 0)}" y1="0" y2="${HEIGHT}"/>`),
  ]);
  return chartRow(name, svg, `<b>${duration(median)}</b> <small>p90 ${duration(p90)}</small>`);
}

function dot(result: RolloutResult, index: number, place: (ms: number) => number): string {
  const {task, attempt} = result.key;
  const passed = hasPassed(result);
  // Neighbours on the axis are at different heights.
  const y = 10 + ((index * 7) % 25);
  return titled(
    `${task}, attempt ${attempt}: ${passed ? 'passed' : 'failed'} in ${duration(result.agentMs)}`,
    `<circle class="${passed ? 'passed' : 'failed'}" cx="${across(place(result.agentMs))}" cy="${y}" r="3.5"/>`,
  );
}
