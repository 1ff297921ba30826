import {checkRole} from '../../../agent/verification/check-roles.ts';
import {checkFlaw} from '../../../policy/shell/ineffective-check.ts';
import type {ThreadItem} from '../../../protocol/items.ts';
import type {LoggedEvent} from '../../../sessions/log-line.ts';
import {recordedTurns, type RecordedTurn} from '../../../sessions/replay/recorded-turns.ts';

/** The first turn of a session, as far as a task can be made of it. */
export interface SessionWork {
  readonly turnId: string;
  readonly prompt: string;
  /** The commands that passed after its last change; all of them must pass again. */
  readonly checks: readonly string[];
  /** Absolute paths of tests and their settings that it changed itself. */
  readonly changedTests: readonly string[];
  readonly turn: RecordedTurn;
}

/**
 * Finds the work of the first turn of a session: later prompts depend on answers that nobody will give again. With `verified` only commands count
 * that were named to verify the work; else also a command of the agent that runs tests. Returns the reason if there is no task in it.
 */
export async function sessionWork(events: readonly LoggedEvent[], verified: boolean): Promise<SessionWork | string> {
  const [turn] = recordedTurns(events).turns;
  if (turn === undefined) return 'nothing was asked';
  if (!turn.isCompleted) return 'its first turn did not end';
  const seen = firstTurn(events);
  if (seen.changed.length === 0) return 'its first turn changed no file';
  const found = seen.verified.length > 0 || verified ? seen.verified : seen.run.slice(-1);
  const flaws = await Promise.all(found.map(checkFlaw));
  const checks = found.filter((_, index) => flaws[index] === undefined);
  if (checks.length === 0) return verified ? 'no command was named that verified its first turn' : 'no check passed after its last change';
  return {turnId: turn.id, prompt: turn.prompt, checks, changedTests: seen.changed.filter((path) => checkRole(path) !== undefined), turn};
}

interface FirstTurn {
  /** Paths that it changed. */
  readonly changed: readonly string[];
  /** Commands that passed after the last change: those that were named to verify it, and those of the agent that run tests. */
  readonly verified: readonly string[];
  readonly run: readonly string[];
}

function firstTurn(events: readonly LoggedEvent[]): FirstTurn {
  const [changed, verified, run] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const item of itemsOfFirstTurn(events)) {
    if (item.type === 'file_change') {
      for (const {path} of item.changes) changed.add(path);
      verified.clear();
      run.clear();
    } else if (item.type === 'harness') {
      if (item.event === 'verification_passed' && item.command !== undefined) verified.add(item.command);
    } else if (item.type === 'command_execution' && item.exit_code === 0 && RUNS_TESTS.test(item.command)) run.add(item.command);
  }
  return {changed: [...changed], verified: [...verified], run: [...run]};
}

function* itemsOfFirstTurn(events: readonly LoggedEvent[]): Generator<ThreadItem, void, undefined> {
  let turns = 0;
  for (const {event} of events) {
    if (event.type === 'turn.started') turns += 1;
    if (turns > 1) return;
    if (event.type === 'item.completed') yield event.item;
  }
}

/** The last command of a line without pipes: its exit code is that of the line. */
const RUNS_TESTS = new RegExp(
  String.raw`^(?:[^|\n]*(?:&&|;)\s*)?(?:\w+=\S*\s+)*(?:` +
    [
      String.raw`(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:test|check|lint|typecheck)\b`,
      String.raw`node\s+--test\b`,
      String.raw`(?:(?:npx|pnpm|yarn|bunx)\s+)?(?:vitest|jest|mocha|ava|tsc|eslint|biome)\b`,
      String.raw`(?:python3?\s+-m\s+)?(?:pytest|unittest|mypy|ruff)\b`,
      String.raw`(?:cargo|go|dotnet|deno|swift|mix)\s+(?:test|check|vet|clippy)\b`,
      String.raw`make\s+(?:test|check)\b`,
      String.raw`(?:mvn|gradle|\.\/gradlew|\.\/mvnw)\s+[^|&;]*\b(?:test|check|verify)\b`,
      String.raw`(?:rspec|bats|tox|ctest|phpunit|rake\s+test)\b`,
    ].join('|') +
    String.raw`)[^|&;\n]*$`,
);
