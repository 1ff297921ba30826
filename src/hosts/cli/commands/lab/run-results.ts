import {openArtifacts} from '../../../../lab/artifacts/open-artifacts.ts';
import {artifactReader} from '../../../../lab/artifacts/rollout-artifacts.ts';
import type {RolloutEngine} from '../../../../lab/engine/engine.ts';
import {makeReport} from '../../../../lab/report/make-report.ts';
import {reportPage} from '../../../../lab/report/page/report-page.ts';
import type {Report} from '../../../../lab/report/report.ts';
import type {RunResults} from '../../../../lab/report/run-results.ts';
import {readRolloutTexts} from '../../../../lab/report/show/read-texts.ts';
import type {RolloutResult} from '../../../../lab/rollout/rollout.ts';
import type {RunPlan} from '../../../../lab/run/run-plan.ts';

/** Reads the results of a run from its engine. */
export async function resultsOf(plan: RunPlan, engine: RolloutEngine, signal: AbortSignal): Promise<RunResults> {
  const results: RolloutResult[] = [];
  for await (const result of engine.results(plan.name, signal)) results.push(result);
  return {...plan, results};
}

/** A report, and the results that it is made from. */
export interface ReportedRun {
  readonly report: Report;
  readonly run: RunResults;
}

export function reportOf(run: RunResults, against?: RunResults): ReportedRun {
  return {report: makeReport(run, against), run};
}

/** The store of a run, and the variables with its credentials. */
interface StorePlace {
  readonly store: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Makes the page of a report, with the texts of its rollouts. */
export async function pageOf({report, run}: ReportedRun, {store: place, env}: StorePlace, signal: AbortSignal): Promise<string> {
  const store = await openArtifacts(place, env);
  return reportPage(report, run, await readRolloutTexts(run.results, artifactReader(store, run.results), signal));
}
