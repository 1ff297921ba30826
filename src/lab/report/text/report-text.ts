import {counted} from '../../../base/counted.ts';
import {dollars, duration, percent, points, shortCount} from '../figures.ts';
import type {Measures, Report, TaskMeasures, VariantMeasures} from '../report.ts';
import {failureWord} from '../failure-words.ts';
import {clip, namesFit, plainLine, textTable, wrapped, type Row} from './text-table.ts';

/** The report for a terminal, in lines of at most `width` columns. Whatever comes from tasks, models and machines is cleaned. */
export function reportText(report: Report, width = 80): string {
  const sections = [
    head(report, width),
    variantSection(report, width),
    failureSection(report, width),
    ...groupSections(report, width),
    comparisonSection(report, width),
    taskSection(report, width),
    reasonSection(
      'Not run',
      report.notRun.map(({task, reason}) => [task, reason] as const),
      width,
    ),
    reasonSection(
      'Failed by the infrastructure',
      report.infrastructure.map(({task, model, toolset, attempt, note}) => [`${task}/${model}/${toolset}/${attempt}`, note] as const),
      width,
    ),
    method(report, width),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function head({run, suite, createdAt, counts, total, warnings}: Report, width: number): string[] {
  const {tokens, cost} = total;
  const judged = `${total.passed} passed, ${total.failed} failed${total.infrastructure === 0 ? '' : `, ${total.infrastructure} not judged`}`;
  const paid = total.rollouts > 0 && cost.unpriced === total.rollouts ? 'cost not known' : dollars(cost.total);
  return [
    ...wrapped(
      `Run ${run}: suite ${suite}, ${counted(counts.tasks, 'task')}, begun ${createdAt.slice(0, 16).replace('T', ' ')} UTC`,
      width,
    ),
    ...wrapped(`${counts.accepted} of ${counted(counts.planned, 'rollout')} done: ${judged}`, width),
    ...wrapped(
      `${paid}; tokens: ${shortCount(tokens.input)} in (${shortCount(tokens.cached)} cached), ${shortCount(tokens.output)} out`,
      width,
    ),
    ...warnings.flatMap((warning) => wrapped(`! ${warning}`, width)),
  ];
}

function variantSection({variants}: Report, width: number): string[] {
  if (variants.length === 0) return [];
  const most = highestK(variants);
  const columns = ['', 'pass@1', '95 % interval', ...(most > 1 ? [`pass@${most}`] : []), 'cost each', 'median', 'p90'];
  const rows = variants.map((variant) => {
    const last = variant.passAt.find(({k}) => k === most);
    const cost = variant.cost.mean === null ? '–' : dollars(variant.cost.mean);
    const reliable = most > 1 ? [last === undefined ? '–' : percent(last.estimate)] : [];
    const {agentMs} = variant;
    const times = agentMs === null ? ['–', '–'] : [duration(agentMs.median), duration(agentMs.p90)];
    return [plainLine(variant.name), ...rateCells(variant), ...reliable, cost, ...times];
  });
  if (namesFit(columns, rows, width)) return ['Variants', ...textTable(columns, rows, width)];
  // Shortened, models of one family would all look alike.
  const lettered = rows.map(([, ...cells], at): Row => [letter(at), ...cells]);
  return ['Variants', ...keysOf(variants, width), ...textTable(columns, lettered, width)];
}

export function highestK(variants: readonly VariantMeasures[]): number {
  return Math.max(1, ...variants.flatMap(({passAt}) => passAt.map(({k}) => k)));
}

function rateCells({passAt}: Measures): readonly [string, string] {
  const [first] = passAt;
  return first === undefined ? ['–', '–'] : [percent(first.estimate), `${points(first.low)} to ${points(first.high)}`];
}

function failureSection({variants}: Report, width: number): string[] {
  const lines = variants.flatMap(({name, failures, infrastructure}) => {
    const kinds = Object.entries(failures).toSorted(([, a], [, b]) => b - a);
    const words = [
      ...kinds.map(([kind, count]) => `${failureWord(kind)} ${count}`),
      ...(infrastructure === 0 ? [] : [`infrastructure ${infrastructure}`]),
    ];
    return words.length === 0
      ? []
      : wrapped(`  ${plainLine(name)}: ${words.join(', ')}`, width, 4).map((line, at) => (at === 0 ? `  ${line}` : line));
  });
  return lines.length === 0 ? [] : ['Failures', ...lines];
}

function groupSections({groups, variants}: Report, width: number): readonly string[][] {
  return [...Map.groupBy(groups, ({kind}) => kind)].map(([kind, rows]) => {
    const cells = rows.map((row) => [plainLine(row.name), String(row.passAt[0]?.tasks ?? 0), ...rateCells(row)]);
    return [
      `By ${kind}${variants.length > 1 ? ', all variants together' : ''}`,
      ...textTable(['', 'tasks', 'pass@1', '95 % interval'], cells, width),
    ];
  });
}

const MOST_COMPARISONS = 10;

function comparisonSection({comparisons, against}: Report, width: number): string[] {
  if (comparisons.length === 0) return against === undefined ? [] : ['Comparison', `  No variant of ${plainLine(against)} is in this run.`];
  const clearest = comparisons.toSorted((a, b) => a.adjustedP - b.adjustedP || a.p - b.p).slice(0, MOST_COMPARISONS);
  const lines = clearest.flatMap(({words}) => wrapped(words, width - 2).map((line) => `  ${line}`));
  const others = comparisons.length - clearest.length;
  return ['Comparison, task by task', ...lines, ...(others === 0 ? [] : [`  … and ${others} more: --json has all.`])];
}

const MOST_TASKS = 40;

function taskSection({tasks, variants}: Report, width: number): string[] {
  // What always passes needs no row, and neither does what has not begun.
  const begun = tasks.filter(({cells}) => cells.some(({judged, infrastructure}) => judged + infrastructure > 0));
  const missed = begun.filter((task) => solved(task) !== 1);
  const hardest = missed.toSorted((a, b) => solved(a) - solved(b) || (a.id < b.id ? -1 : 1)).slice(0, MOST_TASKS);
  const always = begun.length - missed.length;
  const waiting = tasks.length - begun.length;
  const rest = missed.length - hardest.length;
  const lines = [
    ...(rest === 0 ? [] : [`  … and ${counted(rest, 'easier task')}: --csv and --html have all.`]),
    ...(always === 0 ? [] : [`  ${counted(always, 'task')} passed at every judged attempt.`]),
    ...(waiting === 0 ? [] : [`  ${waiting === 1 ? '1 task has' : `${waiting} tasks have`} no result yet.`]),
  ];
  if (hardest.length === 0) return lines.length === 0 ? [] : ['Tasks', ...lines];
  const most = Math.max(1, Math.floor((width - 30) / 9));
  const columns = variants.slice(0, most);
  const keys = columns.length < 2 ? [] : keysOf(columns, width);
  const rows = hardest.map(({id, cells}) => [plainLine(id), ...cells.slice(0, most).map(cellText)]);
  return [
    'Tasks, hardest first: passed / judged attempts',
    ...keys,
    ...textTable(['', ...columns.map((_, at) => (columns.length < 2 ? '' : letter(at)))], rows, width),
    ...lines,
    ...(columns.length === variants.length
      ? []
      : [`  ${variants.length - columns.length} variants are left out: --csv and --html have all.`]),
  ];
}

function keysOf(variants: readonly VariantMeasures[], width: number): string[] {
  return variants.map(({name}, at) => clip(`  ${letter(at)} ${plainLine(name)}`, width));
}

function letter(at: number): string {
  return at < 26 ? String.fromCharCode(65 + at) : String(at + 1);
}

function cellText({passed, judged, infrastructure}: TaskMeasures['cells'][number]): string {
  return `${judged === 0 ? '–' : `${passed}/${judged}`}${infrastructure === 0 ? '' : ` !${infrastructure}`}`;
}

/** Tasks that nobody judged come last. */
function solved({cells}: TaskMeasures): number {
  const [passed, judged] = cells.reduce<[number, number]>(([sum, all], cell) => [sum + cell.passed, all + cell.judged], [0, 0]);
  return judged === 0 ? 2 : passed / judged;
}

const MOST_REASONS = 10;

/** Each reason once, the most frequent first, with the names that it is the reason of. */
function reasonSection(title: string, reasons: readonly (readonly [string, string])[], width: number): string[] {
  if (reasons.length === 0) return [];
  const grouped = [...Map.groupBy(reasons, ([, reason]) => reason)].toSorted(([, a], [, b]) => b.length - a.length);
  const lines = grouped.slice(0, MOST_REASONS).flatMap(([reason, ones]) => {
    const names = ones.slice(0, 3).map(([name]) => name);
    const others = ones.length - names.length;
    const text = `${names.join(', ')}${others === 0 ? '' : ` and ${others} more`}: ${reason}`;
    return wrapped(text, width - 2).map((line) => `  ${line}`);
  });
  return [
    title,
    ...lines,
    ...(grouped.length > MOST_REASONS ? [`  … and ${grouped.length - MOST_REASONS} more reasons: --json has all.`] : []),
  ];
}

function method({total}: Report, width: number): readonly string[] {
  if (total.passAt.length === 0) return [];
  return wrapped(
    'Rates are means over tasks; pass@k is the unbiased estimate. Intervals treat the tasks as a sample of tasks like these: Wilson with the effective number of trials. Comparisons: sign-flip test of the differences by task, with Holm’s correction.',
    width,
    0,
  );
}
