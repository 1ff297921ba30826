import {createHash} from 'node:crypto';
import {counted} from '../../../base/counted.ts';
import {escaped} from '../../../sessions/export/html-text.ts';
import type {RolloutKey} from '../../rollout/rollout.ts';
import {dollars, duration, percent, points, shortCount} from '../figures.ts';
import type {GroupMeasures, Report, VariantMeasures} from '../report.ts';
import type {RunResults} from '../run-results.ts';
import {anchorsOf} from './anchors.ts';
import {comparisonSection} from './comparisons.ts';
import {costChart} from './cost-chart.ts';
import {failureChart} from './failure-chart.ts';
import {PAGE_STYLE} from './page-style.ts';
import {passChart} from './pass-chart.ts';
import {rolloutDetails, type RolloutTexts} from './rollout-details.ts';
import {taskGrid} from './task-grid.ts';
import {timeChart} from './time-chart.ts';

/**
 * The report as one page that loads nothing and runs nothing: plots are SVG, what opens are links and details, and whatever models, tasks and
 * machines wrote is text. Light or dark as the reader's system is.
 */
export function reportPage(report: Report, run: RunResults, textsOf: (key: RolloutKey) => RolloutTexts | undefined): string {
  const anchors = anchorsOf(report, run.results);
  const title = escaped(`${report.suite}: ${report.run}`);
  const sections = [
    passChart(report.variants),
    comparisonSection(report),
    costChart(report.variants),
    timeChart(report.variants, run.results),
    failureChart(report.variants),
    groupSection(report.groups),
    taskGrid(report, anchors),
    rolloutDetails({tasks: run.tasks, textsOf, anchors}),
    reasonsSection(report),
    methodSection(report),
  ].filter((section) => section !== '');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<a class="skip" href="#pass">Skip to the results</a>
<header>
<p class="eyebrow">Fettle lab report</p>
<h1>${escaped(report.suite)} <small>${escaped(report.run)}</small></h1>
<p class="headline">${headline(report)}</p>
${tiles(report)}
${report.warnings.length === 0 ? '' : `<ul class="warnings" aria-label="Notes">${report.warnings.map((one) => `<li>${escaped(one)}</li>`).join('')}</ul>`}
</header>
${navigation(sections)}
<main>
${sections.join('\n')}
</main>
<footer><p>Begun ${escaped(report.createdAt.slice(0, 16).replace('T', ' '))} UTC${report.versions.length === 0 ? '' : `, made by Fettle ${escaped(report.versions.join(', '))}`}. This page loads nothing and runs nothing.</p></footer>
</body>
</html>
`;
}

const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

function headline({variants, total}: Report): string {
  const [best, ...others] = variants.toSorted((a, b) => (b.passAt[0]?.estimate ?? -1) - (a.passAt[0]?.estimate ?? -1));
  const first = best?.passAt[0];
  if (best === undefined || first === undefined) return total.rollouts === 0 ? 'No rollout is done yet.' : 'No rollout could be judged.';
  const rate = `<b>${percent(first.estimate)}</b> of the tasks at the first attempt`;
  const name = `<span class="variant">${escaped(best.name)}</span>`;
  if (others.length === 0) return `${name} passes ${rate}.`;
  const last = others.findLast(({passAt}) => passAt.length > 0)?.passAt[0];
  return `Highest of ${variants.length} variants: ${name} passes ${rate}${last === undefined ? '' : `, the lowest ${percent(last.estimate)}`}.`;
}

function tiles({total, counts, variants}: Report): string {
  const [only] = variants.length === 1 ? (variants[0]?.passAt ?? []) : [];
  const cost = total.cost.unpriced === total.rollouts && total.rollouts > 0 ? 'not known' : dollars(total.cost.total);
  const shown: readonly (readonly [string, string, string])[] = [
    ...(only === undefined
      ? []
      : [['Pass rate', percent(only.estimate), `95 % interval ${points(only.low)} to ${points(only.high)}`] as const]),
    [
      'Rollouts',
      String(counts.accepted),
      counts.missing === 0 ? `${counted(counts.tasks, 'task')}, all done` : `of ${counts.planned} planned`,
    ],
    ['Passed', String(total.passed), `${total.failed} failed${total.infrastructure === 0 ? '' : `, ${total.infrastructure} not judged`}`],
    ['Cost', cost, total.cost.perPass === null ? '' : `${dollars(total.cost.perPass)} for each pass`],
    ['Tokens', shortCount(total.tokens.input + total.tokens.output), `${shortCount(total.tokens.output)} of them written`],
    [
      'Time of a rollout',
      total.agentMs === null ? '–' : duration(total.agentMs.median),
      total.agentMs === null ? '' : `median; p90 ${duration(total.agentMs.p90)}`,
    ],
  ];
  return `<dl class="tiles">${shown.map(([label, value, note]) => `<div><dt>${label}</dt><dd>${escaped(value)}<small>${escaped(note)}</small></dd></div>`).join('')}</dl>`;
}

/** Links to the sections that are there. */
function navigation(sections: readonly string[]): string {
  const links = sections.flatMap((section) => {
    const [, id, title] = /^<section id="([a-z-]+)"[^>]*><h2[^>]*>([^<]+)/.exec(section) ?? [];
    return id === undefined ? [] : [`<li><a href="#${id}">${title}</a></li>`];
  });
  return `<nav aria-label="Sections"><ul>${links.join('')}</ul></nav>`;
}

function groupSection(groups: readonly GroupMeasures[]): string {
  if (groups.length === 0) return '';
  const tables = [...Map.groupBy(groups, ({kind}) => kind)].map(([kind, rows]) => {
    const cells = rows.map(groupRow).join('');
    return `<table><caption>By ${kind}</caption><thead><tr><th scope="col">${kind}</th><th scope="col">Tasks</th><th scope="col">Pass rate</th><th scope="col">95 % interval</th><th scope="col">Median time</th></tr></thead><tbody>${cells}</tbody></table>`;
  });
  return `<section id="groups" aria-labelledby="groups-title"><h2 id="groups-title">Groups</h2><div class="wide" tabindex="0" role="region" aria-label="Groups">${tables.join('')}</div></section>`;
}

function groupRow({name, passAt, agentMs}: GroupMeasures | VariantMeasures): string {
  const [first] = passAt;
  const rate =
    first === undefined
      ? '<td>–</td><td>–</td>'
      : `<td>${percent(first.estimate)}</td><td>${points(first.low)} to ${points(first.high)}</td>`;
  return `<tr><th scope="row">${escaped(name)}</th><td>${first?.tasks ?? 0}</td>${rate}<td>${agentMs === null ? '–' : duration(agentMs.median)}</td></tr>`;
}

const MOST_REASONS = 200;

function reasonsSection({notRun, infrastructure}: Report): string {
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

function methodSection({total}: Report): string {
  if (total.passAt.length === 0) return '';
  const lines = [
    'A task weighs the same however often it was tried: rates are means over tasks. pass@k is the unbiased estimate 1 − C(n−c, k) / C(n, k), on tasks with at least k judged attempts.',
    'Intervals are of the mean for tasks like these, at 95 %: Wilson’s interval with the effective number of trials, since attempts at one task are alike. More attempts at the same tasks make them only a little narrower; more tasks do.',
    'Comparisons take the difference of the pass rates of each task and ask how often a difference as large would come up if neither side were better (sign-flip permutation test, Holm’s correction for several comparisons; shown from p < 0.05 on). No difference shown does not mean that there is none: the interval says what else fits.',
  ];
  return `<section id="method" aria-labelledby="method-title"><h2 id="method-title">How to read this</h2>${lines.map((line) => `<p class="caption">${line}</p>`).join('')}</section>`;
}
