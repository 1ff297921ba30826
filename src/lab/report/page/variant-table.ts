import {escaped} from '../../../sessions/export/html-text.ts';
import {dollars, duration, percent, points, shortCount} from '../figures.ts';
import type {VariantMeasures} from '../report.ts';

const HEADS = [
  'Tasks',
  'Rollouts',
  'Passed',
  'Pass rate',
  '95 % interval',
  'Cost each',
  'Cost for a pass',
  'Tokens in',
  'Cached',
  'Tokens out',
  'Turns',
  'Time',
  'p90',
];

/** The figures of each variant as one table, to be copied into a text of one's own. */
export function variantTable(variants: readonly VariantMeasures[]): string {
  const used = variants.filter(({rollouts}) => rollouts > 0);
  if (used.length === 0) return '';
  const heads = HEADS.map((head) => `<th scope="col">${head}</th>`).join('');
  const rows = used.map(
    (variant) =>
      `<tr><th scope="row">${escaped(variant.name)}</th>${cellsOf(variant)
        .map((cell) => `<td>${cell}</td>`)
        .join('')}</tr>`,
  );
  const caption =
    'Pass rates are means over the tasks with a judged attempt. Costs and tokens include rollouts that the infrastructure broke, except the cost of each; turns and time are medians of a rollout.';
  return `<section id="variants" aria-labelledby="variants-title"><h2 id="variants-title">Variants</h2><p class="caption">${caption}</p><div class="wide" tabindex="0" role="region" aria-label="Figures of the variants"><table><thead><tr><th scope="col">Variant</th>${heads}</tr></thead><tbody>${rows.join('')}</tbody></table></div></section>`;
}

function cellsOf({rollouts, passed, passAt: [first], cost, tokens, turns, agentMs}: VariantMeasures): readonly string[] {
  return [
    String(first?.tasks ?? 0),
    String(rollouts),
    String(passed),
    first === undefined ? '–' : percent(first.estimate),
    first === undefined ? '–' : `${points(first.low)} to ${points(first.high)}`,
    money(cost.mean),
    money(cost.perPass),
    shortCount(tokens.input),
    shortCount(tokens.cached),
    shortCount(tokens.output),
    turns === null ? '–' : String(Math.round(turns.median * 10) / 10),
    agentMs === null ? '–' : duration(agentMs.median),
    agentMs === null ? '–' : duration(agentMs.p90),
  ];
}

function money(usd: number | null): string {
  return usd === null ? '–' : escaped(dollars(usd));
}
