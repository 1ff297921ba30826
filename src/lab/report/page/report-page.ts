import {createHash} from 'node:crypto';
import {createRedactor} from '../../../base/redact.ts';
import {escaped} from '../../../sessions/export/html-text.ts';
import type {Report} from '../report.ts';
import type {RunResults} from '../run-results.ts';
import {anchorsOf} from './anchors.ts';
import {comparisonSection} from './comparisons.ts';
import {costChart} from './cost-chart.ts';
import {failureChart} from './failure-chart.ts';
import {PAGE_STYLE} from './page-style.ts';
import {headline, tiles} from './page-head.ts';
import {passChart} from './pass-chart.ts';
import {rolloutDetails, type TextsOf} from './rollout-details.ts';
import {groupSection, reasonsSection, variantTable} from './report-tables.ts';
import {taskGrid} from './task-grid.ts';
import {timeChart} from './time-chart.ts';

/**
 * The report as one page that loads nothing and runs nothing: plots are SVG, what opens are links and details, and whatever models, tasks and
 * machines wrote is text. Light or dark as the reader's system is.
 */
export function reportPage(figures: Report, results: RunResults, textsOf: TextsOf): string {
  const {report, run} = withoutSecrets(figures, results);
  const anchors = anchorsOf(report, run.results);
  const title = escaped(`${report.suite}: ${report.run}`);
  const sections = [
    passChart(report.variants),
    comparisonSection(report),
    costChart(report.variants),
    timeChart(report.variants, run.results),
    failureChart(report.variants),
    variantTable(report.variants),
    groupSection(report),
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

/** Pages are passed on: secrets with a known shape are redacted in prompts and reasons, as they are in the texts of rollouts. */
function withoutSecrets(report: Report, run: RunResults): {readonly report: Report; readonly run: RunResults} {
  const {text} = createRedactor({shapes: true});
  const clean = (value: string | undefined): string | undefined => (value === undefined ? undefined : text(value));
  return {
    report: {...report, infrastructure: report.infrastructure.map((one) => ({...one, note: text(one.note)}))},
    run: {
      ...run,
      tasks: run.tasks.map((task) => ({...task, prompt: clean(task.prompt)})),
      results: run.results.map((result) => ({...result, note: clean(result.note)})),
    },
  };
}

const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

/** Links to the sections that are there. */
function navigation(sections: readonly string[]): string {
  const links = sections.flatMap((section) => {
    const [, id, title] = /^<section id="([a-z-]+)"[^>]*><h2[^>]*>([^<]+)/.exec(section) ?? [];
    return id === undefined ? [] : [`<li><a href="#${id}">${title}</a></li>`];
  });
  return `<nav aria-label="Sections"><ul>${links.join('')}</ul></nav>`;
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
