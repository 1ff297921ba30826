import {counted} from '../../base/counted.ts';
import type {RolloutKey, RolloutResult} from '../rollout/rollout.ts';
import {compareSides, type Side} from './compare.ts';
import {hasPassed, isJudged, measure} from './measures.ts';
import type {GroupMeasures, Report, TaskMeasures, RunCounts, VariantMeasures} from './report.ts';
import type {RunResults} from './run-results.ts';

/**
 * The report of a run. With `against`, it is compared with that run, variant by variant (two single variants even if their names differ), and else
 * its variants with one another. Of results with the same key the first counts.
 */
export function makeReport(accepted: RunResults, against?: RunResults): Report {
  const run = {...accepted, results: firstOfEach(accepted.results)};
  const variants = variantsOf(run);
  const byVariant = Map.groupBy(run.results, ({key}) => variantName(key));
  const pairs = against === undefined ? allPairs(sidesOf(run)) : pairsOfRuns(run, against);
  const counts = countsOf(run);
  return {
    format: 'fettle-lab-report/1',
    run: run.name,
    suite: run.suiteName,
    createdAt: new Date(run.createdAt).toISOString(),
    versions: versionsOf(run.results),
    counts,
    total: measure(run.results),
    variants: variants.map((variant) => ({...variant, ...measure(byVariant.get(variant.name) ?? [])})),
    groups: groupsOf(run),
    tasks: taskRows(run, variants),
    comparisons: compareSides(pairs),
    ...(against === undefined ? {} : {against: against.name}),
    notRun: run.notRun.map(({id, reason}) => ({task: id, reason})),
    infrastructure: run.results
      .filter((result) => !isJudged(result))
      .map(({key: {task, model, toolset, attempt}, note = 'no reason was noted'}) => ({task, model, toolset, attempt, note})),
    warnings: warningsOf(run, counts),
  };
}

/** The name of a variant: its model, and after `·` its toolset. */
export function variantName({model, toolset}: Pick<RolloutKey, 'model' | 'toolset'>): string {
  return `${model} · ${toolset}`;
}

function firstOfEach(results: readonly RolloutResult[]): readonly RolloutResult[] {
  const seen = new Set<string>();
  return results.filter(({key}) => {
    const id = JSON.stringify([key.task, key.model, key.toolset, key.attempt]);
    return !seen.has(id) && seen.add(id);
  });
}

function variantsOf({models, toolsets, results}: RunResults): readonly Pick<VariantMeasures, 'name' | 'model' | 'toolset'>[] {
  const planned = models.flatMap((model) => toolsets.map((toolset) => ({model, toolset})));
  const all = [...planned, ...results.map(({key: {model, toolset}}) => ({model, toolset}))];
  return [...new Map(all.map((one) => [variantName(one), {name: variantName(one), ...one}])).values()];
}

/** In the order of the plan, with results alone. */
function sidesOf(run: RunResults): readonly Side[] {
  const byVariant = Map.groupBy(run.results, ({key}) => variantName(key));
  return variantsOf(run).flatMap(({name}) => {
    const results = byVariant.get(name);
    return results === undefined ? [] : [{name, results}];
  });
}

function allPairs(sides: readonly Side[]): readonly (readonly [Side, Side])[] {
  return sides.flatMap((one, index) => sides.slice(index + 1).map((other) => [one, other] as const));
}

function pairsOfRuns(run: RunResults, against: RunResults): readonly (readonly [Side, Side])[] {
  const [before, now] = [against, run].map((one) =>
    sidesOf({...one, results: firstOfEach(one.results)}).map((side) => ({side, name: one.name})),
  );
  const named = ({side, name}: {side: Side; name: string}): Side => ({name: `${side.name} (${name})`, results: side.results});
  const [first, second] = [before?.[0], now?.[0]];
  if (before?.length === 1 && now?.length === 1 && first !== undefined && second !== undefined) return [[named(first), named(second)]];
  return (before ?? []).flatMap((one) => {
    const other = now?.find(({side}) => side.name === one.side.name);
    return other === undefined ? [] : [[named(one), named(other)] as const];
  });
}

function groupsOf({tasks, results}: RunResults): readonly GroupMeasures[] {
  // A single toolset would make a row for each model that is the variant itself.
  const variants = new Set(results.map(({key}) => variantName(key))).size;
  const languages = new Map(tasks.map(({id, labels}) => [id, labels?.['language']]));
  const kinds: readonly (readonly [GroupMeasures['kind'], (key: RolloutKey) => string | undefined])[] = [
    ['model', ({model}) => model],
    ['toolset', ({toolset}) => toolset],
    ['language', ({task}) => languages.get(task) ?? (languages.size === 0 ? undefined : 'not labelled')],
  ];
  return kinds.flatMap(([kind, nameOf]) => {
    const groups = Map.groupBy(results, ({key}) => nameOf(key) ?? '');
    if (groups.size < 2 || (kind !== 'language' && groups.size === variants)) return [];
    const rows = [...groups].map(([name, ones]) => ({kind, name, ...measure(ones)}));
    return rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  });
}

function taskRows({tasks, results}: RunResults, variants: readonly {readonly name: string}[]): readonly TaskMeasures[] {
  const labels = new Map(tasks.map(({id, labels: ones}) => [id, ones]));
  const byTask = Map.groupBy(results, ({key}) => key.task);
  return distinct([...tasks.map(({id}) => id), ...byTask.keys()]).map((id) => {
    const byVariant = Map.groupBy(byTask.get(id) ?? [], ({key}) => variantName(key));
    const cells = variants.map(({name}) => {
      const ones = byVariant.get(name) ?? [];
      const judged = ones.filter(isJudged);
      return {passed: judged.filter(hasPassed).length, judged: judged.length, infrastructure: ones.length - judged.length};
    });
    return {id, language: labels.get(id)?.['language'] ?? null, cells};
  });
}

function countsOf({tasks, notRun, models, toolsets, attempts, results}: RunResults): RunCounts {
  const planned = tasks.length * models.length * toolsets.length * attempts;
  return {
    tasks: tasks.length,
    tasksNotRun: notRun.length,
    planned,
    accepted: results.length,
    missing: Math.max(0, planned - results.length),
  };
}

function warningsOf({results}: RunResults, {missing, tasksNotRun}: RunCounts): string[] {
  const infrastructure = results.filter((result) => !isJudged(result)).length;
  const unpriced = results.filter(({costUsd}) => costUsd === null).length;
  const versions = versionsOf(results);
  const changed = [...Map.groupBy(results, ({key}) => key.task)]
    .flatMap(([task, ones]) => (new Set(ones.map(({taskDigest}) => taskDigest)).size > 1 ? [task] : []))
    .toSorted();
  return [
    ...(missing === 0
      ? []
      : [`${counted(missing, 'rollout')} of the plan ${be(missing)} not done yet: the figures are of those that are.`]),
    ...(infrastructure === 0
      ? []
      : [
          `${counted(infrastructure, 'rollout')} failed by the infrastructure and ${infrastructure === 1 ? 'counts' : 'count'} neither as passed nor as failed.`,
        ]),
    ...(tasksNotRun === 0 ? [] : [`${counted(tasksNotRun, 'task')} of the suite ${be(tasksNotRun)} not run and not counted.`]),
    ...(changed.length === 0 ? [] : [`Changed while the run went on, so that their attempts are not alike: ${listed(changed)}.`]),
    ...(versions.length < 2 ? [] : [`Several versions of Fettle made these results: ${versions.join(', ')}.`]),
    ...(unpriced === 0 || unpriced === results.length
      ? []
      : [`The price of ${counted(unpriced, 'rollout')} is not known: costs are of the others.`]),
  ];
}

function be(count: number): string {
  return count === 1 ? 'is' : 'are';
}

function listed(names: readonly string[]): string {
  return names.length <= 5 ? names.join(', ') : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`;
}

/** A rollout that broke before it began has no version. */
function versionsOf(results: readonly RolloutResult[]): readonly string[] {
  return distinct(results.flatMap(({version}) => (version === '' ? [] : [version]))).toSorted();
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
