import {counted} from '../../../base/counted.ts';
import {escaped} from '../../../sessions/export/html-text.ts';
import {dollars, duration, percent, points, shortCount} from '../figures.ts';
import type {Comparison, Report} from '../report.ts';

/** The result of the run in one or two sentences: which variant is the highest, and whether that is more than chance. */
export function headline({variants, comparisons, against, total}: Report): string {
  const judged = variants.flatMap(({name, passAt: [first]}) => (first === undefined ? [] : [{name, ...first}]));
  const [best, ...others] = judged.toSorted((a, b) => b.estimate - a.estimate);
  if (best === undefined) return total.rollouts === 0 ? 'No rollout is done yet.' : 'No rollout could be judged.';
  const isSingle = variants.every(({passAt}) => passAt.length < 2);
  const rate = `<b>${percent(best.estimate)}</b> of ${isSingle ? '' : 'the attempts, as a mean over '}${counted(best.tasks, 'task')}`;
  const name = `<span class="variant">${escaped(best.name)}</span>`;
  const last = others.at(-1);
  if (last === undefined) return `${name} passes ${rate}.`;
  if (last.estimate === best.estimate) return `${others.length === 1 ? 'Both' : `All ${judged.length}`} variants pass ${rate}.`;
  const chance = against === undefined ? ` ${chanceOf(best.name, comparisons)}` : '';
  return `Highest of ${judged.length} variants: ${name} passes ${rate}, the lowest ${percent(last.estimate)}.${chance}`;
}

/** Says of how many others the lead of a variant is more than chance. */
function chanceOf(name: string, comparisons: readonly Comparison[]): string {
  const own = comparisons.filter(({a, b}) => a === name || b === name);
  const shown = own.filter(({a, better}) => better !== undefined && better === (a === name ? 'a' : 'b')).length;
  const others = own.length === 1 ? 'the other' : 'all others';
  if (shown === 0) return `Chance can explain its lead over ${others}.`;
  return `Its lead over ${shown === own.length ? others : `${shown} of ${own.length} others`} is more than chance explains.`;
}

/** The figures that people ask for first. */
export function tiles({total, counts, variants}: Report): string {
  const [only] = variants.length === 1 ? (variants[0]?.passAt ?? []) : [];
  const cost = total.cost.unpriced === total.rollouts && total.rollouts > 0 ? 'not known' : dollars(total.cost.total);
  const shown: readonly (readonly [string, string, string])[] = [
    ...(only === undefined
      ? []
      : [['Pass rate', percent(only.estimate), `95 % interval ${points(only.low)} to ${points(only.high)}`] as const]),
    [
      'Rollouts',
      String(counts.accepted),
      counts.missing === 0 ? `${shapeOf(counts, variants.length)}, all done` : `of ${counts.planned} planned`,
    ],
    ['Passed', String(total.passed), `${total.failed} failed${total.infrastructure === 0 ? '' : `, ${total.infrastructure} not judged`}`],
    ['Cost', cost, total.cost.perPass === null ? '' : `${dollars(total.cost.perPass)} for each pass`],
    ['Tokens', shortCount(total.tokens.input + total.tokens.output), `${shortCount(total.tokens.output)} of them written`],
    [
      'Time of the agent',
      total.agentMs === null ? '–' : duration(total.agentMs.median),
      total.agentMs === null ? '' : `median; p90 ${duration(total.agentMs.p90)}`,
    ],
  ];
  return `<dl class="tiles">${shown.map(([label, value, note]) => `<div><dt>${label}</dt><dd>${escaped(value)}<small>${escaped(note)}</small></dd></div>`).join('')}</dl>`;
}

/** `24 tasks × 2 variants × 3 attempts`; a single one of the last two is left out. */
function shapeOf({tasks, planned}: Report['counts'], variants: number): string {
  const attempts = Math.round(planned / Math.max(1, tasks * variants));
  const factors = [
    counted(tasks, 'task'),
    ...(variants > 1 ? [`${variants} variants`] : []),
    ...(attempts > 1 ? [`${attempts} attempts`] : []),
  ];
  return factors.join(' × ');
}
