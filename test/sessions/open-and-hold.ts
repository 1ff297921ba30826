import {toFettleError} from '../../src/base/errors.ts';
import {openEventLog} from '../../src/sessions/event-log.ts';

/** A child that opens a log, says how that went, and holds it until its stdin ends. */
const [file = ''] = process.argv.slice(2);
try {
  const log = await openEventLog(file, {create: true});
  process.stdout.write('open\n');
  await process.stdin.resume().toArray();
  log.close();
} catch (error) {
  process.stdout.write(`${toFettleError(error).code}\n`);
}
