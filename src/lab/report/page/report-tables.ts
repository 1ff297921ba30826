import {escaped} from '../../../sessions/export/html-text.ts';
import {duration, percent, points} from '../figures.ts';
import type {GroupMeasures, Report} from '../report.ts';

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
