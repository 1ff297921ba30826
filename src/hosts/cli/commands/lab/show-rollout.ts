import {FettleError} from '../../../../base/errors.ts';
import {fettlePaths} from '../../../../config/paths.ts';
import {openArtifacts} from '../../../../lab/artifacts/open-artifacts.ts';
import {artifactReader} from '../../../../lab/artifacts/rollout-artifacts.ts';
import {showRollout as textOf} from '../../../../lab/report/show/show-rollout.ts';
import type {RolloutResult} from '../../../../lab/rollout/rollout.ts';
import {openRun} from '../../../../lab/run/run-folder.ts';
import {rolloutName} from '../../../../lab/run/run-plan.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import {listenForInterrupts} from '../../interrupt.ts';
import type {Io} from '../../io.ts';
import {labFolders, queueToRead, withEngine} from './lab-place.ts';
import {resultsOf} from './run-results.ts';

export interface LabShowFlags {
  readonly run?: string;
  readonly json?: true;
  readonly queue?: string;
}

/** `fettle lab show`: one rollout with its prompt, steps, changes and verification. */
export async function showRollout(io: Io, name: string, flags: LabShowFlags): Promise<number> {
  const {run, json} = flags;
  const paths = fettlePaths(io);
  const {plan} = await openRun(paths.stateDir, run);
  const interrupts = listenForInterrupts(() => io.note('Cancelling.'));
  try {
    const signal = interrupts.signal();
    const {results} = await withEngine(
      {folders: labFolders(paths), queue: queueToRead(io, flags, plan)},
      async (engine) => await resultsOf(plan, engine, signal),
      signal,
    );
    const result = find(results, name, plan.name);
    if (json === true) io.data(`${JSON.stringify(result, null, 2)}\n`);
    else {
      const store = await openArtifacts(plan.store, io.env);
      io.shown(await textOf({result, read: artifactReader(store, [result])}, signal));
    }
    return EXIT.done;
  } finally {
    interrupts.dispose();
  }
}

function find(results: readonly RolloutResult[], name: string, run: string): RolloutResult {
  const exact = results.find(({key}) => rolloutName(key) === name);
  if (exact !== undefined) return exact;
  const matches = results.filter(({key}) => rolloutName(key).startsWith(name));
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  const some = matches.slice(0, 5).map(({key}) => rolloutName(key));
  if (some.length > 0) {
    const message = `${matches.length} rollouts of ${run} begin with ${name}: ${some.join(', ')}${matches.length > some.length ? ', …' : ''}.`;
    throw new FettleError({code: 'NOT_UNIQUE', message, hint: 'Give more of the name.'});
  }
  const message = `No result of a rollout ${name} in the run ${run}.`;
  throw new FettleError({
    code: 'NOT_FOUND',
    message,
    hint: `Write TASK/MODEL/TOOLSET/ATTEMPT, or the beginning of it; \`fettle lab report ${run} --csv\` lists all, and --run names another run.`,
  });
}
