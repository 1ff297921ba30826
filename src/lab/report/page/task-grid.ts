import {escaped} from '../../../sessions/export/html-text.ts';
import {cellName, type Anchors} from './anchors.ts';
import type {Report, TaskCell, TaskMeasures} from '../report.ts';

/** Rows that a page can hold; the rest is in the CSV. */
const MOST_TASKS = 2000;

/** Every task with every variant, hardest first; its cells lead to the first attempt that failed, or to the first. */
export function taskGrid({tasks, variants}: Report, {tasks: anchors, cells: cellAnchors}: Anchors): string {
  if (tasks.length === 0) return '';
  const sorted = tasks.toSorted((a, b) => rateOf(a) - rateOf(b) || (a.id < b.id ? -1 : 1));
  const shown = sorted.slice(0, MOST_TASKS);
  const hasLanguages = tasks.some(({language}) => language !== null);
  const heads = variants.map(
    ({name, model, toolset}) => `<th scope="col" title="${escaped(name)}">${escaped(model)}<small>${escaped(toolset)}</small></th>`,
  );
  const rows = shown.map((task) => {
    const anchor = anchors.get(task.id)?.id;
    const name = anchor === undefined ? escaped(task.id) : `<a href="#${anchor}">${escaped(task.id)}</a>`;
    const language = hasLanguages ? `<td class="label language">${escaped(task.language ?? '')}</td>` : '';
    const cells = task.cells.map((cell, index) =>
      cellOf(cell, cellAnchors.get(cellName(task.id, variants[index]?.name ?? '')), `${task.id}, ${variants[index]?.name ?? ''}`),
    );
    return `<tr><th scope="row">${name}</th>${language}${cells.join('')}</tr>`;
  });
  const rest = tasks.length - shown.length;
  const note = rest === 0 ? '' : `<p class="caption">${rest} easier tasks are left out here: fettle lab report --csv has all.</p>`;
  return `<section id="tasks" aria-labelledby="tasks-title"><h2 id="tasks-title">Tasks</h2><p class="caption">Attempts that passed of those that were judged, hardest first. A name leads to its rollouts.</p><div class="wide" tabindex="0" role="region" aria-label="Tasks by variant"><table class="tasks"><thead><tr><th scope="col">Task</th>${hasLanguages ? '<th class="language" scope="col">Language</th>' : ''}${heads.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>${note}</section>`;
}

function cellOf({passed, judged, infrastructure}: TaskCell, anchor: string | undefined, place: string): string {
  const broken = infrastructure === 0 ? '' : `<small title="failed by the infrastructure">!${infrastructure}</small>`;
  if (judged === 0) return `<td class="none">–${broken}</td>`;
  const tenth = Math.round((10 * passed) / judged);
  // A single failure among many is not shown as none, nor a single pass.
  const shade = passed === judged ? 10 : passed === 0 ? 0 : Math.min(9, Math.max(1, tenth));
  const text = `${passed}/${judged}`;
  const words = `${place}: ${passed} of ${judged} passed`;
  return `<td class="rate-${shade}">${anchor === undefined ? text : `<a href="#${anchor}" aria-label="${escaped(words)}">${text}</a>`}${broken}</td>`;
}

/** Tasks that nobody judged come last. */
function rateOf({cells}: TaskMeasures): number {
  const judged = cells.reduce((sum, cell) => sum + cell.judged, 0);
  return judged === 0 ? 2 : cells.reduce((sum, cell) => sum + cell.passed, 0) / judged;
}
