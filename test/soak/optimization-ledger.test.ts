import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {createInterface} from 'node:readline';
import {describe, expect, it} from 'vitest';
import {ledgerPath} from '../../src/optimization/ledger/ledger-file.ts';
import {openLedger} from '../../src/optimization/ledger/ledger.ts';
import {scratch} from '../support/scratch.ts';

const CHILD = join(import.meta.dirname, '../optimization/ledger/write-outcomes.ts');

interface Written {
  readonly reported: readonly string[];
  readonly end: readonly unknown[];
}

/** Runs a writer; with `killAt`, ends it with SIGKILL after so many reports. */
async function write(args: readonly string[], killAt?: number): Promise<Written> {
  const child = spawn(process.execPath, [CHILD, ...args], {stdio: ['ignore', 'pipe', 'inherit']});
  const exited = once(child, 'exit');
  const reported: string[] = [];
  for await (const line of createInterface({input: child.stdout})) {
    reported.push(line);
    if (reported.length === killAt) child.kill('SIGKILL');
  }
  return {reported, end: await exited};
}

function stored(stateDir: string): {readonly choices: readonly string[]; readonly problems: unknown} {
  const database = new DatabaseSync(ledgerPath(stateDir), {readOnly: true});
  const choices = database.prepare('SELECT choice FROM outcomes ORDER BY seq').all();
  const problems = database.prepare('PRAGMA integrity_check').get()?.['integrity_check'];
  database.close();
  return {choices: choices.map((row) => String(row['choice'])), problems};
}

describe('the ledger of outcomes', () => {
  it('loses nothing that was stored in 50 kills, and is whole', async () => {
    const stateDir = await scratch();
    const reported: string[] = [];
    for (let kill = 0; kill < 50; kill += 1) {
      const written = await write([stateDir, `action-${kill % 5}`], 1 + ((kill * 7) % 23));
      expect(written.end).toEqual([null, 'SIGKILL']);
      reported.push(...written.reported);
      const {choices, problems} = stored(stateDir);
      expect(problems).toBe('ok');
      const kept = new Set(choices);
      expect(kept.size).toBe(choices.length);
      expect(reported.filter((choice) => !kept.has(choice))).toEqual([]);
    }
  });

  it('takes eight writers at once, from the first moment of the file', async () => {
    for (let round = 0; round < 8; round += 1) {
      const stateDir = await scratch();
      const writers = await Promise.all(Array.from({length: 8}, (_, n) => write([stateDir, `action-${n}`, '100'])));
      expect(writers.map(({end}) => end)).toEqual(Array.from({length: 8}, () => [0, null]));
      const ledger = openLedger(stateDir);
      expect(ledger.totals()).toEqual(
        Array.from({length: 8}, (_, n) => ({decision: 'model', action: `action-${n}`, choices: 100, outcomes: 100})),
      );
      ledger.close();
      expect(new Set(stored(stateDir).choices)).toEqual(new Set(writers.flatMap(({reported}) => reported)));
    }
  });
});
