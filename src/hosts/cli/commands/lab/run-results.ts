import type {RolloutEngine} from '../../../../lab/engine/engine.ts';
import {makeReport} from '../../../../lab/report/make-report.ts';
import type {RunResults} from '../../../../lab/report/run-results.ts';
import {reportText} from '../../../../lab/report/text/report-text.ts';
import type {RolloutResult} from '../../../../lab/rollout/rollout.ts';
import type {RunFolder} from '../../../../lab/run/run-folder.ts';

/** Reads the results of a run from its engine. */
export async function resultsOf({plan}: RunFolder, engine: RolloutEngine, signal: AbortSignal): Promise<RunResults> {
  const results: RolloutResult[] = [];
  for await (const result of engine.results(plan.name, signal)) results.push(result);
  return {...plan, results};
}

export async function reportOf(
  results: RunResults,
  _run: RunFolder,
  against: RunResults | undefined,
): Promise<{readonly text: string; readonly page: string}> {
  const report = makeReport(results, against);
  return {text: reportText(report), page: ''};
}
