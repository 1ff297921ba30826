import {counted} from '../../../base/counted.ts';
import {escaped} from '../../../sessions/export/html-text.ts';
import {dollars, duration, percent, points, shortCount} from '../figures.ts';
import type {Report} from '../report.ts';

/** The result of the run in one sentence. */
export function headline({variants, total}: Report): string {
  const [best, ...others] = variants.toSorted((a, b) => (b.passAt[0]?.estimate ?? -1) - (a.passAt[0]?.estimate ?? -1));
  const first = best?.passAt[0];
  if (best === undefined || first === undefined) return total.rollouts === 0 ? 'No rollout is done yet.' : 'No rollout could be judged.';
  const rate = `<b>${percent(first.estimate)}</b> of the tasks at the first attempt`;
  const name = `<span class="variant">${escaped(best.name)}</span>`;
  if (others.length === 0) return `${name} passes ${rate}.`;
  const last = others.findLast(({passAt}) => passAt.length > 0)?.passAt[0];
  return `Highest of ${variants.length} variants: ${name} passes ${rate}${last === undefined ? '' : `, the lowest ${percent(last.estimate)}`}.`;
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
