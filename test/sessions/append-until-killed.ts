import {writeSync} from 'node:fs';
import {openEventLog} from '../../src/sessions/event-log.ts';

/** A child for the crash tests: appends user messages with rising ids, and says each id on stdout after it was appended. */
const [file = '', first = '0'] = process.argv.slice(2);
const log = await openEventLog(file, {create: true});
for (let id = Number(first); ; id += 1) {
  const text = 'é'.repeat(id % 7 === 0 ? 40_000 : id % 50);
  log.append({type: 'item.completed', item: {id: String(id), type: 'user_message', text}});
  writeSync(1, `${id}\n`);
}
