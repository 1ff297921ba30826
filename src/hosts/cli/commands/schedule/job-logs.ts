import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {FettleError, systemErrorCode} from '../../../../base/errors.ts';
import {visibleText} from '../../../../base/visible-text.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import type {RunRecord} from '../../../../schedule/store/run-record.ts';
import type {Io} from '../../io.ts';
import {runLine} from './describe-run.ts';
import type {LogOptions} from './schedule-options.ts';
import {schedulePlace, usableJob, withStore} from './schedule-place.ts';

/** `fettle schedule logs NAME`: how a run ended, and its last message, its events or its stderr. */
export async function jobLogs(io: Io, name: string, options: LogOptions): Promise<number> {
  const place = schedulePlace(io);
  const job = await usableJob(place, name);
  const runs = await withStore(place, (store) => store.runs(job, MOST));
  const run = chosenRun(name, runs, options.run);
  io.note(visibleText(runLine(run, Date.now()).trim()));
  const text = await textOf(run, fileOf(options));
  if (text !== undefined) io.shown(text === '' || text.endsWith('\n') ? text : `${text}\n`);
  else if (options.events === true || options.stderr === true) throw missing(run, `fettle schedule logs ${name}`);
  else await noteErrors(io, run);
  return EXIT.done;
}

const MOST = 1000;

/** The newest that has run, unless one is named. A due time that was left out has nothing to show. */
function chosenRun(name: string, runs: readonly RunRecord[], wanted: string | undefined): RunRecord {
  const run =
    wanted === undefined ? (runs.find(({folder}) => folder !== undefined) ?? runs[0]) : runs.find(({id}) => String(id) === wanted);
  if (run !== undefined) return run;
  const message = wanted === undefined ? `${name} has not run.` : `${name} has no run ${wanted}.`;
  throw new FettleError({code: 'NOT_FOUND', message, hint: `\`fettle schedule show ${name}\` lists its runs.`});
}

function fileOf({events, stderr}: LogOptions): string {
  if (events === true) return 'events.jsonl';
  return stderr === true ? 'stderr.txt' : 'last-message.txt';
}

async function textOf({folder}: RunRecord, file: string): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  return await readFile(join(folder, file), 'utf8').catch((thrown: unknown) => {
    if (systemErrorCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  });
}

/** A run without an answer has at least said why. */
async function noteErrors(io: Io, run: RunRecord): Promise<void> {
  const errors = (await textOf(run, 'stderr.txt'))?.trimEnd() ?? '';
  if (errors !== '') io.note(visibleText(errors.split('\n').slice(-SHOWN).join('\n')));
  else io.note('It left no message.');
}

const SHOWN = 20;

function missing({folder}: RunRecord, command: string): FettleError {
  const message = folder === undefined ? 'Its files were removed, to keep the quota, or it never began.' : 'It has written no such file.';
  return new FettleError({code: 'NOT_FOUND', message, hint: `\`${command}\` shows how it ended.`});
}
