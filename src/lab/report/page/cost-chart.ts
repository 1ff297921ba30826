import {escaped} from '../../../sessions/export/html-text.ts';
import {dollars, duration, percent, points, shortCount} from '../figures.ts';
import type {VariantMeasures} from '../report.ts';
import {across, axis, figure, gridLines, picture, roundTicks, titled} from './svg.ts';

const HEIGHT = 280;

interface Scale {
  readonly title: string;
  readonly of: (variant: VariantMeasures) => number | null;
  readonly label: (value: number) => string;
}

/** By cost where every price is known, else by the best substitute. */
const SCALES: readonly Scale[] = [
  {title: 'mean cost of a rollout', of: ({cost}) => (cost.unpriced === 0 ? cost.mean : null), label: dollars},
  {
    title: 'median output tokens of a rollout (prices are not known)',
    of: ({outputTokens}) => outputTokens?.median || null,
    label: shortCount,
  },
  {title: 'median time of a rollout (prices are not known)', of: ({agentMs}) => agentMs?.median ?? null, label: duration},
];

/** Cost against pass rate, a letter for each variant; nothing where there is only one. */
export function costChart(variants: readonly VariantMeasures[]): string {
  const judged = variants.filter(({passAt}) => passAt.length > 0);
  const scale = SCALES.find(({of}) => judged.every((variant) => (of(variant) ?? 0) > 0));
  if (judged.length < 2 || scale === undefined) return '';
  const ticks = roundTicks(Math.max(...judged.map((variant) => scale.of(variant) ?? 0)));
  const most = ticks.at(-1) ?? 1;
  const place = (value: number): number => value / most;
  const points_ = judged.map((variant, index) => mark(variant, letterOf(index), {scale, place}));
  const words = judged.map(
    (variant) => `${variant.name}: ${percent(variant.passAt[0]?.estimate ?? 0)} at ${scale.label(scale.of(variant) ?? 0)}`,
  );
  const levels = [0, 0.25, 0.5, 0.75, 1].map(
    (rate) =>
      `<line class="grid" x1="${across(0)}" x2="${across(1)}" y1="${down(rate)}" y2="${down(rate)}"/><text class="level" x="${across(0)}" dx="4" y="${down(rate) - 4}">${rate * 100} %</text>`,
  );
  const svg = picture(`Pass rate against ${scale.title}. ${words.join('; ')}`, HEIGHT, [
    ...gridLines(ticks.map(place), HEIGHT),
    ...levels,
    ...points_,
  ]);
  const keys = judged.map(
    ({name}, index) =>
      `<li><b class="key">${letterOf(index)}</b> ${escaped(name)} <small>${escaped(words[index]?.slice(name.length + 2) ?? '')}</small></li>`,
  );
  const caption = `Up is better, left is cheaper: ${scale.title}. Lines are 95 % intervals of the pass rate.`;
  return figure('cost', {title: 'Cost against pass rate', caption}, [
    `<div class="scatter">${svg}${axis(ticks.map((tick) => ({at: place(tick), label: scale.label(tick)})))}</div>`,
    `<ul class="keys">${keys.join('')}</ul>`,
  ]);
}

function mark(
  variant: VariantMeasures,
  letter: string,
  {scale, place}: {readonly scale: Scale; readonly place: (value: number) => number},
): string {
  const [first] = variant.passAt;
  if (first === undefined) return '';
  const value = scale.of(variant) ?? 0;
  const x = across(place(value));
  const words = `${variant.name}: ${percent(first.estimate)} (${points(first.low)} to ${points(first.high)}) at ${scale.label(value)}`;
  return titled(
    words,
    `<line class="whisker" x1="${x}" x2="${x}" y1="${down(first.high)}" y2="${down(first.low)}"/><circle class="estimate" cx="${x}" cy="${down(first.estimate)}" r="11"/><text class="letter" x="${x}" y="${down(first.estimate) + 4}">${letter}</text>`,
  );
}

/** Pixels from the top for a rate, with room for marks at both ends. */
function down(rate: number): number {
  return Math.round(18 + (HEIGHT - 32) * (1 - rate));
}

function letterOf(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : String(index + 1);
}
