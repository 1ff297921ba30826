import {mkdir, stat, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe, expect, it, onTestFinished} from 'vitest';
import {ledgerPath} from '../../../src/optimization/ledger/ledger-file.ts';
import {MOST_KEPT, openLedger, type RewardLedger} from '../../../src/optimization/ledger/ledger.ts';
import {NO_FEATURES} from '../../../src/optimization/policies/feature-vector.ts';
import {scratch} from '../../support/scratch.ts';

function open(stateDir?: string): RewardLedger {
  const ledger = openLedger(stateDir);
  onTestFinished(() => ledger.close());
  return ledger;
}

const choose = (ledger: RewardLedger, action: string, episode?: string): string =>
  ledger.addChoice({decision: 'model', action, vector: NO_FEATURES, episode});

describe('openLedger', () => {
  it('gives back outcomes as they were stored, in order', () => {
    const ledger = open();
    const vector = [
      [0, 1],
      [7, -0.5],
    ] as const;
    const choice = ledger.addChoice({decision: 'model', action: 'a', vector});
    const full = {action: 'a', success: true, timeout: false, latency_ms: 12.5, cost_usd: 0.25, tokens: 900};
    expect(ledger.addOutcome({signal: full, of: {choice}})).toBe(true);
    ledger.addOutcome({signal: {action: 'b', success: true, timeout: true}, of: {decision: 'model'}});
    expect(ledger.outcomesAfter('model', 0)).toEqual([
      {seq: 1, signal: full, vector, earlier: []},
      {seq: 2, signal: {action: 'b', success: false, timeout: true}, vector: NO_FEATURES, earlier: []},
    ]);
    expect(ledger.outcomesAfter('model', 1).map(({seq}) => seq)).toEqual([2]);
    expect(ledger.outcomesAfter('other', 0)).toEqual([]);
  });

  it('reads what is new since it was read last, and everything after a correction', () => {
    const ledger = open();
    const [first, second] = [choose(ledger, 'a'), choose(ledger, 'b')];
    const seqs = (known?: {seq: number; revision: number}) => ledger.changes('model', known).outcomes.map(({seq}) => seq);
    ledger.addOutcome({signal: {action: 'a', success: true}, of: {choice: first}});
    ledger.addOutcome({signal: {action: 'a', success: true}, of: {decision: 'other'}});
    ledger.addOutcome({signal: {action: 'b', success: true}, of: {choice: second}});
    expect([seqs(), seqs({seq: 1, revision: 0}), seqs({seq: 3, revision: 0})]).toEqual([[1, 3], [3], []]);
    ledger.addOutcome({signal: {action: 'a', success: false}, of: {choice: first}});
    expect([seqs({seq: 3, revision: 0}), seqs({seq: 3, revision: 1})]).toEqual([[3, 4], [4]]);
    ledger.setFrozen(true);
    expect(ledger.changes('model', undefined)).toMatchObject({revision: 1, frozen: true, version: ledger.version()});
  });

  it('knows the earlier choices of an episode, the latest first', () => {
    const ledger = open();
    choose(ledger, 'first', 'run 1');
    choose(ledger, 'another', 'run 2');
    choose(ledger, 'second', 'run 1');
    const choice = choose(ledger, 'third', 'run 1');
    choose(ledger, 'later', 'run 1');
    ledger.addOutcome({signal: {action: 'third', success: true}, of: {choice}});
    expect(ledger.outcomesAfter('model', 0)[0]?.earlier).toEqual(['second', 'first']);
  });

  it('keeps the newest outcomes of an action, however many there are, and all of others', () => {
    const ledger = open();
    ledger.addOutcome({signal: {action: 'rare', success: true}, of: {decision: 'model'}});
    for (let n = 0; n < MOST_KEPT + 500; n += 1) {
      choose(ledger, 'often');
      ledger.addOutcome({signal: {action: 'often', success: true, tokens: n}, of: {decision: 'model'}});
    }
    const [rare, often] = [...ledger.totals()].toSorted((a, b) => a.outcomes - b.outcomes);
    expect(rare).toEqual({decision: 'model', action: 'rare', choices: 0, outcomes: 1});
    expect(often?.outcomes).toBeGreaterThanOrEqual(MOST_KEPT);
    expect(often?.outcomes).toBeLessThan(MOST_KEPT + 50);
    expect(often?.choices).toBeLessThan(MOST_KEPT + 50);
    expect(ledger.outcomesAfter('model', 0).at(-1)?.signal.tokens).toBe(MOST_KEPT + 499);
  });

  it('changes its version with each outcome, and its revision with corrections and resets alone', async () => {
    const stateDir = await scratch();
    const [one, other] = [open(stateDir), open(stateDir)];
    const revision = (): number => one.changes('model', undefined).revision;
    const seen = (): unknown[] => [one.version(), revision()];
    const before = seen();
    const choice = choose(other, 'a');
    other.addOutcome({signal: {action: 'a', success: true}, of: {choice}});
    const added = seen();
    other.addOutcome({signal: {action: 'a', success: false}, of: {choice}});
    const corrected = seen();
    expect(new Set([before[0], added[0], corrected[0]]).size).toBe(3);
    expect([before[1], added[1], corrected[1]]).toEqual([0, 0, 1]);
    expect([other.reset('toolset'), revision(), other.reset('model'), revision()]).toEqual([0, 2, 1, 3]);
    expect(one.totals()).toEqual([]);
  });

  it('belongs to its owner alone', async () => {
    const stateDir = await scratch();
    open(stateDir);
    const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
    expect([await mode(ledgerPath(stateDir)), await mode(join(stateDir, 'optimization'))]).toEqual(['600', '700']);
  });

  it('is refused where it is damaged, newer, or a link', async () => {
    const refusal = async (make: (path: string) => Promise<void> | void) => {
      const stateDir = await scratch({'optimization/x': ''});
      await make(ledgerPath(stateDir));
      try {
        openLedger(stateDir).close();
        return 'opened';
      } catch (thrown) {
        return thrown instanceof Error
          ? `${'code' in thrown ? String(thrown.code) : ''}: ${thrown.message.replaceAll(stateDir, '')}`
          : thrown;
      }
    };
    expect(await refusal((path) => writeFile(path, 'no database at all, '.repeat(400)))).toBe(
      'UNAVAILABLE: The ledger of outcomes /optimization/ledger.sqlite cannot be used.',
    );
    expect(await refusal((path) => symlink('x', path))).toBe('UNAVAILABLE: /optimization/ledger.sqlite is a link.');
    expect(await refusal((path) => mkdir(path))).toBe('UNAVAILABLE: /optimization/ledger.sqlite is not a regular file.');
    expect(
      await refusal((path) => {
        const database = new DatabaseSync(path);
        database.exec('PRAGMA user_version = 9');
        database.close();
      }),
    ).toBe('UNAVAILABLE: The ledger of outcomes has version 9; this Fettle reads up to 1.');
  });
});
