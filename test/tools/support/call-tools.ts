import {join} from 'node:path';
import {openToolset} from './open-toolset.ts';

/** A process of its own, for tests of what the system refuses: `call-tools.ts ROOT [[NAME, ARGS], …]` prints the results as JSON. */
const [root = '', calls = '[]'] = process.argv.slice(2);
const tools = await openToolset('fettle', root, {spoolDir: join(root, '.spool')});
const results = [];
for (const [name, args] of JSON.parse(calls) as [string, object][]) {
  const {outcome, text} = await tools.call(name, args);
  results.push({outcome, text: text.replaceAll(root, '<root>')});
}
process.stdout.write(JSON.stringify(results));
