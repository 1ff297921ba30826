import {toFettleError} from '../../src/base/errors.ts';
import {openEventLog} from '../../src/sessions/event-log.ts';

/** A child that runs with a limit on the size of files: appends until the system refuses, then tells what was thrown, twice. */
const [file = ''] = process.argv.slice(2);
const log = await openEventLog(file, {create: true});
const thrown: unknown[] = [];
let appended = 0;
while (thrown.length < 2) {
  try {
    log.append({type: 'item.completed', item: {id: String(appended), type: 'user_message', text: 'x'.repeat(700)}});
    appended += 1;
  } catch (error) {
    const {code, message, hint} = toFettleError(error);
    thrown.push({code, message, hint});
  }
}
process.stdout.write(JSON.stringify({appended, thrown}));
