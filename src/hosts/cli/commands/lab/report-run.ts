import {writeFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import {FettleError} from '../../../../base/errors.ts';
import {fettlePaths} from '../../../../config/paths.ts';
import {reportCsv} from '../../../../lab/report/report-csv.ts';
import {reportText} from '../../../../lab/report/text/report-text.ts';
import {openRun} from '../../../../lab/run/run-folder.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import {listenForInterrupts} from '../../interrupt.ts';
import type {Io} from '../../io.ts';
import {labFolders, queueToRead, withEngine} from './lab-place.ts';
import {reportWidth} from './report-width.ts';
import {pageOf, reportOf, resultsOf} from './run-results.ts';

export interface LabReportFlags {
  readonly against?: string;
  readonly json?: true;
  readonly csv?: true;
  readonly html?: string;
  readonly queue?: string;
}

/** `fettle lab report`: the figures of a run as text, JSON, CSV, or as a page in a file. */
export async function reportRun(io: Io, name: string | undefined, flags: LabReportFlags): Promise<number> {
  const {against, json, csv, html} = flags;
  const paths = fettlePaths(io);
  const {plan} = await openRun(paths.stateDir, name);
  const other = against === undefined ? undefined : (await openRun(paths.stateDir, against)).plan;
  if (other?.name === plan.name) {
    throw new FettleError({code: 'USAGE', message: `The run ${plan.name} cannot be compared with itself.`, hint: 'See `fettle lab list`.'});
  }
  const interrupts = listenForInterrupts(() => io.note('Cancelling.'));
  try {
    const signal = interrupts.signal();
    const reported = await withEngine(
      {folders: labFolders(paths), queue: queueToRead(io, flags, plan)},
      async (engine) =>
        reportOf(await resultsOf(plan, engine, signal), other === undefined ? undefined : await resultsOf(other, engine, signal)),
      signal,
    );
    if (html !== undefined) {
      const file = resolve(io.cwd, html);
      await writeFile(file, await pageOf(reported, {store: plan.store, env: io.env}, signal));
      io.note(`Written: ${file}`);
    }
    if (json === true) io.data(`${JSON.stringify(reported.report, null, 2)}\n`);
    else if (csv === true) for (const line of reportCsv(reported.run)) io.data(line);
    else if (html === undefined) io.data(reportText(reported.report, reportWidth()));
    return EXIT.done;
  } finally {
    interrupts.dispose();
  }
}
