import {existsSync} from 'node:fs';
import {counted} from '../../../base/counted.ts';
import {FettleError} from '../../../base/errors.ts';
import {visibleText} from '../../../base/visible-text.ts';
import type {OptimizationSettings} from '../../../config/settings.ts';
import type {Explanation} from '../../../optimization/explain.ts';
import {ledgerPath} from '../../../optimization/ledger/ledger-file.ts';
import {openLedger, type RewardLedger} from '../../../optimization/ledger/ledger.ts';
import {openOptimizer, type Optimizer} from '../../../optimization/optimizer.ts';
import {summarize, type ActionSummary} from '../../../optimization/summarize.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import {candidatesOf, isAsked} from '../../../sdk/optimization/candidates.ts';
import {loadSettings} from '../../../sdk/settings/load-settings.ts';
import {confirm} from '../confirm.ts';
import type {Io} from '../io.ts';
import {refuseInsideFettle} from '../refuse-inside-fettle.ts';

interface JsonFlag {
  readonly json?: true;
}

/** `fettle optimize show [DECISION]`. */
export async function showLearned(io: Io, decision: string | undefined, {json}: JsonFlag): Promise<number> {
  const at = await openAt(io);
  const rows = withLedger(at, (ledger) => summarize(ledger, at.settings), []).filter(
    (row) => decision === undefined || isAsked(decision, row.decision),
  );
  const frozen = withLedger(at, (ledger) => ledger.isFrozen(), false);
  if (json === true) return printJson(io, {enabled: at.settings.enabled, strategy: at.settings.strategy, frozen, actions: rows});
  if (rows.length > 0) io.shown(table(SHOWN, rows.map(shownRow)));
  io.note(stateLine(at, {frozen, isEmpty: rows.length === 0, decision}));
  return EXIT.done;
}

/** `fettle optimize explain [DECISION] [ACTION…]`: for each decision the choice that would be made next; exit code 1 if nothing is known. */
export async function explainNext(io: Io, names: readonly string[], {json}: JsonFlag): Promise<number> {
  const at = await openAt(io);
  const [decision, ...actions] = names;
  const explained = withLedger(
    at,
    (ledger) => {
      const optimizer = openOptimizer({settings: at.settings, ledger});
      const known = decisionsOf(ledger).filter((name) => decision === undefined || isAsked(decision, name));
      const decisions = known.length === 0 && decision !== undefined ? [decision] : known;
      return decisions.flatMap((name) => {
        const explanation = explainOne(optimizer, at, {name, actions});
        return explanation === undefined ? [] : [{decision: name, ...explanation}];
      });
    },
    [],
  );
  if (json === true) printJson(io, explained);
  else for (const one of explained) io.shown(explanationText(one));
  if (explained.length > 0) return EXIT.done;
  io.note(nothingLearned(decision));
  return EXIT.failed;
}

interface Asked {
  readonly name: string;
  readonly actions: readonly string[];
}

/** Choices of Fettle itself are among the candidates of the settings, and bounded; those that programs make under other names are not. */
function explainOne(optimizer: Optimizer, {settings}: At, {name, actions}: Asked): Explanation | undefined {
  const candidates = candidatesOf(name, settings);
  const known = candidates === undefined || candidates.length === 0 ? undefined : candidates;
  return optimizer.explain(
    {decision: name, ...(candidates === undefined ? {} : {exploreShare: settings.explore_share})},
    actions.length === 0 ? known : actions,
  );
}

function decisionsOf(ledger: RewardLedger): readonly string[] {
  return [...new Set(ledger.totals().map(({decision}) => decision))];
}

/** `fettle optimize freeze [--off]`: the best so far is chosen, and nothing is learned, until it is switched off. */
export async function freeze(io: Io, {off, json}: JsonFlag & {readonly off?: true}): Promise<number> {
  refuseInsideFettle(io, {cannot: 'change what Fettle has learned', instead: 'fettle optimize freeze'});
  const {stateDir, settings} = await openAt(io);
  const ledger = openLedger(stateDir);
  try {
    ledger.setFrozen(off !== true);
  } finally {
    ledger.close();
  }
  if (json === true) return printJson(io, {frozen: off !== true});
  const frozen = 'Frozen: the best so far is chosen, and nothing is learned. `fettle optimize freeze --off` ends it.';
  io.note(off === true ? `No longer frozen. ${learningText(settings)}.` : frozen);
  return EXIT.done;
}

/** `fettle optimize reset [DECISION]`: forgets what was learned. Exit code 3 if the answer is no. */
export async function resetLearned(io: Io, decision: string | undefined, {yes, json}: JsonFlag & {readonly yes?: true}): Promise<number> {
  refuseInsideFettle(io, {cannot: 'change what Fettle has learned', instead: 'fettle optimize reset'});
  const at = await openAt(io);
  if (yes !== true && !(await isConfirmed(io, decision))) return EXIT.denied;
  const outcomes = withLedger(at, (ledger) => forget(ledger, decision), 0);
  if (json === true) return printJson(io, {outcomes});
  io.note(`Forgotten: ${counted(outcomes, 'outcome')}.`);
  return EXIT.done;
}

function forget(ledger: RewardLedger, decision: string | undefined): number {
  if (decision === undefined) return ledger.reset();
  const named = decisionsOf(ledger).filter((name) => isAsked(decision, name));
  return named.reduce((total, name) => total + ledger.reset(name), 0);
}

async function isConfirmed(io: Io, decision: string | undefined): Promise<boolean> {
  if (!io.interactive) {
    throw new FettleError({code: 'USAGE', message: 'No terminal is available to ask on.', hint: 'Reset without asking: `--yes`.'});
  }
  const what = decision === undefined ? 'everything that was learned' : `what was learned of ${visibleText(decision)}`;
  return await confirm(`Forget ${what}? [y/N] `);
}

interface At {
  readonly stateDir: string;
  readonly settings: OptimizationSettings;
}

async function openAt({cwd, env, home}: Io): Promise<At> {
  const {settings, paths} = await loadSettings({cwd, env, home});
  return {stateDir: paths.stateDir, settings: settings.optimization};
}

/** Without a ledger there is nothing to look at, and none is made for it. */
function withLedger<Result>({stateDir}: At, work: (ledger: RewardLedger) => Result, without: Result): Result {
  if (!existsSync(ledgerPath(stateDir))) return without;
  const ledger = openLedger(stateDir);
  try {
    return work(ledger);
  } finally {
    ledger.close();
  }
}

const SHOWN = ['decision', 'action', 'choices', 'share', 'outcomes', 'mean reward'];

function shownRow({decision, action, choices, share, outcomes, mean}: ActionSummary): readonly string[] {
  return [decision, action, String(choices), percent(share), String(outcomes), meanText(mean)];
}

function explanationText({decision, action, why, frozen, actions}: Explanation & {readonly decision: string}): string {
  const rows = actions
    .toSorted((a, b) => b.share - a.share)
    .map(({action: name, share, outcomes, mean}) => [`  ${name}`, percent(share), String(outcomes), meanText(mean)]);
  const state = frozen ? ' (frozen)' : '';
  return `${visibleText(`${decision}: ${action}${state}: ${why}`)}\n${table(['  action', 'next', 'outcomes', 'mean reward'], rows)}`;
}

interface Shown {
  readonly frozen: boolean;
  readonly isEmpty: boolean;
  readonly decision: string | undefined;
}

function stateLine({settings}: At, {frozen, isEmpty, decision}: Shown): string {
  return [
    `${learningText(settings)}.`,
    ...(frozen ? ['Frozen: `fettle optimize freeze --off` ends it.'] : []),
    ...(isEmpty ? [nothingLearned(decision)] : []),
  ].join(' ');
}

function learningText({enabled, strategy}: OptimizationSettings): string {
  return enabled ? `Learning is on (${strategy})` : 'Learning is off: `[optimization] enabled = true` switches it on';
}

function nothingLearned(decision: string | undefined): string {
  return decision === undefined ? 'Nothing was learned yet.' : `Nothing was learned of ${visibleText(decision)} yet.`;
}

/** Columns as wide as their widest cell; names first, numbers to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows.map((row) => row.map((cell) => visibleText(cell)))];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const isName = head.map((_, column) => rows.some((row) => !/^(?:[\d.]+(?: %)?|-)$/.test(row[column] ?? '')));
  const padded = (cell: string, column: number): string =>
    isName[column] === true ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return all.map((row) => `${row.map(padded).join('  ').trimEnd()}\n`).join('');
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function meanText(mean: number | null): string {
  return mean === null ? '-' : mean.toFixed(2);
}

function printJson(io: Io, value: unknown): number {
  io.data(`${JSON.stringify(value, null, 2)}\n`);
  return EXIT.done;
}
