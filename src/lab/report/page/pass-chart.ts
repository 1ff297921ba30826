import {counted} from '../../../base/counted.ts';
import {escaped} from '../../../sessions/export/html-text.ts';
import {percent, points} from '../figures.ts';
import type {VariantMeasures} from '../report.ts';
import {across, axis, axisRow, chartRow, figure, gridLines, picture, span, titled} from './svg.ts';

const QUARTERS = [0, 0.25, 0.5, 0.75, 1];
const HEIGHT = 30;
const OVERLAP = ' Bars that overlap can still differ: the comparison below looks at the same tasks on both sides.';

/** Pass rates with their intervals, the highest first. */
export function passChart(variants: readonly VariantMeasures[]): string {
  const sorted = variants.toSorted((a, b) => (b.passAt[0]?.estimate ?? -1) - (a.passAt[0]?.estimate ?? -1));
  const caption = `The dot is the mean over tasks of the share of attempts that passed; the bar is its 95 % interval for tasks like these.${variants.length > 1 ? OVERLAP : ''}`;
  return figure('pass', {title: 'Pass rate', caption}, [
    ...sorted.map(rowOf),
    axisRow(axis(QUARTERS.map((at) => ({at, label: `${at * 100} %`})))),
    ...passTable(sorted),
  ]);
}

function rowOf({name, passAt}: VariantMeasures): string {
  const [first] = passAt;
  if (first === undefined) return chartRow(name, picture('Nothing was judged', HEIGHT, gridLines(QUARTERS, HEIGHT)), '–');
  const {estimate, low, high} = first;
  const words = `${percent(estimate)}, 95 % interval ${points(low)} to ${points(high)} %`;
  const marks = [
    `<rect class="interval" x="${across(low)}" width="${span(low, high)}" y="${HEIGHT / 2 - 5}" height="10" rx="5"/>`,
    `<circle class="estimate" cx="${across(estimate)}" cy="${HEIGHT / 2}" r="6"/>`,
  ];
  const svg = picture(words, HEIGHT, [...gridLines(QUARTERS, HEIGHT), titled(words, marks.join(''))]);
  return chartRow(name, svg, `<b>${percent(estimate)}</b> <small>${points(low)}–${points(high)}</small>`);
}

/** pass@k where tasks were tried more than once. */
function passTable(variants: readonly VariantMeasures[]): string[] {
  const ks = [...new Set(variants.flatMap(({passAt}) => passAt.map(({k}) => k)))].toSorted((a, b) => a - b);
  if (ks.length < 2) return [];
  const head = ks.map((k) => `<th scope="col">pass@${k}</th>`).join('');
  const rows = variants.map(({name, passAt}) => {
    const cells = ks.map((k) => {
      const found = passAt.find((one) => one.k === k);
      if (found === undefined) return '<td>–</td>';
      return `<td>${percent(found.estimate)} <small>${points(found.low)}–${points(found.high)}, ${counted(found.tasks, 'task')}</small></td>`;
    });
    return `<tr><th scope="row">${escaped(name)}</th>${cells.join('')}</tr>`;
  });
  const caption = 'The chance that at least one of k attempts passes';
  return [
    `<h3>${caption}</h3><div class="wide" tabindex="0" role="region" aria-label="${caption}"><table><thead><tr><th scope="col">Variant</th>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`,
  ];
}
