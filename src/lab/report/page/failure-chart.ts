import {escaped} from '../../../sessions/export/html-text.ts';
import {FAILURE_KINDS, failureWord} from '../failure-words.ts';
import {percent} from '../figures.ts';
import type {VariantMeasures} from '../report.ts';
import {across, chartRow, figure, picture, span, titled} from './svg.ts';

const HEIGHT = 28;

interface Part {
  readonly kind: string;
  readonly words: string;
  readonly count: number;
}

/** How the rollouts of each variant ended, as parts of one bar. */
export function failureChart(variants: readonly VariantMeasures[]): string {
  const used = variants.filter(({rollouts}) => rollouts > 0);
  if (used.length === 0) return '';
  const shown = new Set(used.flatMap((variant) => partsOf(variant).map(({kind}) => kind)));
  const legend = [...KINDS].filter((kind) => shown.has(kind));
  const keys = legend.map(
    (kind) =>
      `<li><svg class="swatch" aria-hidden="true" width="14" height="14"><rect class="${kind}" width="14" height="14" rx="3"/></svg> ${escaped(wordsOf(kind))}</li>`,
  );
  const caption =
    'All accepted rollouts. The infrastructure is what failed outside of the agent: it counts neither as passed nor as failed.';
  return figure('failures', {title: 'How rollouts ended', caption}, [`<ul class="keys inline">${keys.join('')}</ul>`, ...used.map(rowOf)]);
}

const KINDS: ReadonlySet<string> = new Set(['passed', ...FAILURE_KINDS, 'infrastructure']);

function wordsOf(kind: string): string {
  return kind === 'infrastructure' ? 'infrastructure' : failureWord(kind);
}

function partsOf({passed, failures, infrastructure}: VariantMeasures): readonly Part[] {
  const counts: Readonly<Record<string, number | undefined>> = {...failures, passed, infrastructure};
  return [...KINDS].flatMap((kind) => {
    const count = counts[kind] ?? 0;
    return count === 0 ? [] : [{kind, words: wordsOf(kind), count}];
  });
}

function rowOf(variant: VariantMeasures): string {
  const parts = partsOf(variant);
  let before = 0;
  const bars = parts.map(({kind, words, count}) => {
    const [from, to] = [before / variant.rollouts, (before + count) / variant.rollouts];
    before += count;
    const label =
      to - from > 0.08 ? `<text class="count on-${kind}" x="${across((from + to) / 2)}" y="${HEIGHT / 2 + 4}">${count}</text>` : '';
    return titled(
      `${words}: ${count} (${percent(to - from)})`,
      `<rect class="${kind}" x="${across(from)}" width="${span(from, to)}" y="2" height="${HEIGHT - 4}"/>${label}`,
    );
  });
  const words = parts.map(({words: name, count}) => `${name} ${count}`).join(', ');
  return chartRow(
    variant.name,
    `<span class="parts">${picture(words, HEIGHT, bars)}</span><small class="ends">${escaped(words)}</small>`,
    `<b>${variant.passed}</b> <small>of ${variant.rollouts}</small>`,
  );
}
