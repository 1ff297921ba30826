import {writeSync} from 'node:fs';
import {openLedger} from '../../../src/optimization/ledger/ledger.ts';
import {NO_FEATURES} from '../../../src/optimization/policies/feature-vector.ts';

/** A child of the soak: stores choices and outcomes of its own action, and reports each on stdout after it was stored. Without a count, until it is killed. */
const [stateDir = '', action = '', count = 'Infinity'] = process.argv.slice(2);
const ledger = openLedger(stateDir);
for (let n = 0; n < Number(count); n += 1) {
  const choice = ledger.addChoice({decision: 'model', action, vector: NO_FEATURES});
  if (!ledger.addOutcome({signal: {action, success: n % 2 === 0, tokens: n}, of: {choice}})) throw new Error('not stored');
  writeSync(1, `${choice}\n`);
}
ledger.close();
