import {harnessEvent} from '../../agent/continuation/harness-event.ts';
import type {CheckResult} from '../../agent/continuation/check-result.ts';
import type {RunReport} from '../../agent/thread.ts';
import {toFettleError} from '../../base/errors.ts';
import {checkFlaw} from '../../policy/shell/ineffective-check.ts';
import type {HarnessParts} from '../thread/harness-parts.ts';
import type {CheckWatch, FoundChanges} from './watch-checks.ts';

/** The evidence of a verification: which commands ran, and which of the files they use the run itself has changed. */
export interface Proof {
  /** Records the files used by the commands that the person named, before anything is changed. */
  begin(signal: AbortSignal): Promise<void>;
  /** Records the changes that the checks start with: a changed check can put itself back while it runs. */
  atChecks(signal: AbortSignal): Promise<void>;
  end(verified: boolean | 'none'): Promise<void>;
  report(results: readonly CheckResult[]): Pick<RunReport, 'checks' | 'check_changes' | 'check_changes_unknown'>;
}

type ProofParts = Pick<HarnessParts, 'session' | 'threadId' | 'verify' | 'dispatcher' | 'emit'>;

/** Without named commands, nothing is loaded. @param named the commands that count now, those of the person first */
export function openVerification(parts: ProofParts, named: () => readonly string[]): Proof {
  const {verify} = parts;
  let watch: CheckWatch | undefined;
  let first = NOTHING;
  /** Found when the newest checks started. */
  let started = NOTHING;
  let last = NOTHING;
  const constant = new Set<string>();
  const open = async (commands: readonly string[], signal: AbortSignal): Promise<CheckWatch> => {
    const {session, threadId, dispatcher} = parts;
    const {watchChecks} = await import('./watch-checks.ts');
    return await watchChecks({session, threadId, root: dispatcher.context.workspace.root}, commands, signal);
  };
  return {
    async begin(signal) {
      [first, started, last] = [NOTHING, NOTHING, NOTHING];
      if (verify.length === 0) return;
      first = await orUnknown(async () => {
        watch ??= await open(verify, signal);
        return NOTHING;
      });
    },
    async atChecks(signal) {
      started = await orUnknown(async () => (await watch?.changes(named(), signal)) ?? NOTHING);
    },
    async end(verified) {
      if (verified === 'none') return;
      // Not cancelled with the run: the result must be known even then.
      const {signal} = new AbortController();
      for (const command of named()) if ((await checkFlaw(command)) === 'constant') constant.add(command);
      last = await orUnknown(async () => await (watch ?? (await open([], signal))).changes(named(), signal));
      const unknown = first.unknown ?? started.unknown ?? last.unknown;
      if (unknown === undefined) return;
      const message = `Unknown which files of the checks were changed: ${unknown}`;
      parts.emit(harnessEvent(undefined, {event: 'check_changes_unknown', message}));
    },
    report(results) {
      const checks = named().map((command) => checkReport(command, {results, verify, constant}));
      const changes = new Map([...started.changes, ...last.changes].map((one) => [one.path, one]));
      const isUnknown = [first, started, last].some(({unknown}) => unknown !== undefined);
      return {
        ...(checks.length === 0 ? {} : {checks}),
        ...(changes.size === 0 ? {} : {check_changes: [...changes.values()]}),
        ...(isUnknown ? {check_changes_unknown: true} : {}),
      };
    },
  };
}

interface Known {
  readonly results: readonly CheckResult[];
  readonly verify: readonly string[];
  readonly constant: ReadonlySet<string>;
}

function checkReport(command: string, {results, verify, constant}: Known): NonNullable<RunReport['checks']>[number] {
  const result = results.findLast((one) => one.command === command);
  return {
    command,
    named_by: verify.includes(command) ? 'person' : 'model',
    state: result?.state ?? 'not_run',
    exit_code: result?.exitCode ?? null,
    ...(constant.has(command) ? {always_passes: true} : {}),
  };
}

const NOTHING: FoundChanges = {changes: []};

/** A folder that cannot be read does not fail the run, but is reported. */
async function orUnknown(find: () => Promise<FoundChanges>): Promise<FoundChanges> {
  try {
    return await find();
  } catch (thrown) {
    return {changes: [], unknown: toFettleError(thrown).message};
  }
}
