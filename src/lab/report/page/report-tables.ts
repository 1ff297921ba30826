import {escaped} from '../../../sessions/export/html-text.ts';
import {dollars, duration, percent, points, shortCount} from '../figures.ts';
import type {GroupMeasures, Report, VariantMeasures} from '../report.ts';

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
  return `<section id="variants" aria-labelledby="variants-title"><h2 id="variants-title">Variants</h2><p class="caption">${caption}</p><div class="wide" tabindex="0" role="region" aria-label="Figures of the variants"><table class="figures"><thead><tr><th scope="col">Variant</th>${heads}</tr></thead><tbody>${rows.join('')}</tbody></table></div></section>`;
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
  ];
}

function money(usd: number | null): string {
  return usd === null ? '–' : escaped(dollars(usd));
}

/** A table for each kind of group; nothing where there are none. */
export function groupSection({groups, variants}: Report): string {
  if (groups.length === 0) return '';
  const tables = [...Map.groupBy(groups, ({kind}) => kind)].map(([kind, rows]) => {
    const cells = rows.map(groupRow).join('');
    return `<table><caption>By ${kind}</caption><thead><tr><th scope="col">${kind.replace(/^./, (letter) => letter.toUpperCase())}</th><th scope="col">Tasks</th><th scope="col">Pass rate</th><th scope="col">95 % interval</th><th scope="col">Median time</th></tr></thead><tbody>${cells}</tbody></table>`;
  });
  const together = variants.length < 2 ? '' : '<p class="caption">Over the rollouts of all variants.</p>';
  return `<section id="groups" aria-labelledby="groups-title"><h2 id="groups-title">Groups</h2>${together}<div class="wide" tabindex="0" role="region" aria-label="Groups">${tables.join('')}</div></section>`;
}

function groupRow({name, passAt, agentMs}: GroupMeasures): string {
  const [first] = passAt;
  const rate =
    first === undefined
      ? '<td>–</td><td>–</td>'
      : `<td>${percent(first.estimate)}</td><td>${points(first.low)} to ${points(first.high)}</td>`;
  return `<tr><th scope="row">${escaped(name)}</th><td>${first?.tasks ?? 0}</td>${rate}<td>${agentMs === null ? '–' : duration(agentMs.median)}</td></tr>`;
}

const MOST_REASONS = 200;

/** Lists tasks that were not run and rollouts that the infrastructure broke, with the reasons. */
export function reasonsSection({notRun, infrastructure}: Report): string {
  const rows = [
    ...notRun.map(({task, reason}) => [task, 'not run', reason] as const),
    ...infrastructure.map(
      ({task, model, toolset, attempt, note}) => [`${task}/${model}/${toolset}/${attempt}`, 'infrastructure', note] as const,
    ),
  ];
  if (rows.length === 0) return '';
  const cells = rows
    .slice(0, MOST_REASONS)
    .map(
      ([name, kind, reason]) =>
        `<tr><th scope="row">${escaped(name)}</th><td class="label">${kind}</td><td class="label">${escaped(reason)}</td></tr>`,
    );
  const more =
    rows.length > MOST_REASONS ? `<p class="caption">${rows.length - MOST_REASONS} more: fettle lab report --json has all.</p>` : '';
  return `<section id="not-counted" aria-labelledby="not-counted-title"><h2 id="not-counted-title">Not counted</h2><p class="caption">Neither passed nor failed: it says nothing about the agent.</p><div class="wide" tabindex="0" role="region" aria-label="Not counted"><table class="reasons"><thead><tr><th scope="col">What</th><th scope="col">Kind</th><th scope="col">Reason</th></tr></thead><tbody>${cells.join('')}</tbody></table></div>${more}</section>`;
}
