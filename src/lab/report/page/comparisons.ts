import {counted} from '../../../base/counted.ts';
import {escaped} from '../../../sessions/export/html-text.ts';
import {leadOf, type Lead} from '../compare.ts';
import {signedPoints} from '../figures.ts';
import type {Comparison, Report} from '../report.ts';
import {across, picture, span, titled} from './svg.ts';

/** Those beside the clearest are closed at first, and above this number left out. */
const MOST_OPEN = 6;
const MOST_SHOWN = 60;
const HEIGHT = 30;

/** The comparisons in words, the clearest first, each with the interval of its difference. */
export function comparisonSection({comparisons, against}: Report): string {
  if (comparisons.length === 0 && against === undefined) return '';
  const clearest = comparisons.toSorted((a, b) => a.adjustedP - b.adjustedP || a.p - b.p);
  const others = clearest.slice(MOST_OPEN, MOST_SHOWN);
  const rest = Math.max(0, clearest.length - MOST_SHOWN);
  const title = against === undefined ? 'Comparison' : `Comparison with ${escaped(against)}`;
  const caption =
    comparisons.length === 0
      ? 'No variant of that run is in this one.'
      : 'Task by task: only what both sides tried counts. In the picture, right of the dashed line the one that is named first is better, left of it the other; the bar is the 95 % interval of the difference.';
  const reach = Math.max(0.25, Math.ceil(4 * Math.max(0, ...comparisons.map(({low, high}) => Math.max(-low, high)))) / 4);
  const more =
    others.length === 0 ? '' : `<details><summary>${counted(others.length, 'more pair')}</summary>${listOf(others, reach)}</details>`;
  const note = rest === 0 ? '' : `<p class="caption">${rest} more are left out here: fettle lab report --json has all.</p>`;
  return `<section id="comparison" aria-labelledby="comparison-title"><h2 id="comparison-title">${title}</h2><p class="caption">${caption}</p>${clearest.length === 0 ? '' : listOf(clearest.slice(0, MOST_OPEN), reach)}${more}${note}</section>`;
}

function listOf(comparisons: readonly Comparison[], reach: number): string {
  return `<ul class="comparisons">${comparisons.map((one) => comparisonHtml(one, reach)).join('')}</ul>`;
}

function comparisonHtml(comparison: Comparison, reach: number): string {
  const {better, words, tasks, leftOut} = comparison;
  const lead = leadOf(comparison);
  const {betterForFirst, betterForSecond} = lead;
  const same = tasks - betterForFirst - betterForSecond;
  const counts = [
    ...(tasks === 0
      ? []
      : [`The first is better on ${betterForFirst} of ${counted(tasks, 'task')}, worse on ${betterForSecond}, the same on ${same}`]),
    ...(leftOut === 0 ? [] : [`${counted(leftOut, 'task')} left out`]),
  ].join('; ');
  return `<li class="${better === undefined ? 'open' : 'shown'}"><div class="pair"><div><p>${escaped(words)}</p><small>${counts}</small></div>${tasks === 0 ? '' : forest(lead, reach)}</div></li>`;
}

/** The difference on an axis that reaches as far to both sides. */
function forest({difference, low, high}: Lead, reach: number): string {
  const place = (points: number): number => (points / reach + 1) / 2;
  const words = `Difference ${signedPoints(difference)} points, 95 % interval ${signedPoints(low)} to ${signedPoints(high)}`;
  return picture(words, HEIGHT, [
    `<line class="none-there" x1="${across(0.5)}" x2="${across(0.5)}" y1="2" y2="${HEIGHT - 2}"/>`,
    titled(
      words,
      `<rect class="interval" x="${across(place(low))}" width="${span(place(low), place(high))}" y="${HEIGHT / 2 - 5}" height="10" rx="5"/><circle class="estimate" cx="${across(place(difference))}" cy="${HEIGHT / 2}" r="6"/>`,
    ),
  ]);
}
