import {join} from 'node:path';
import {FettleError} from '../../../base/errors.ts';
import {createRedactor} from '../../../base/redact.ts';
import {shellQuoted} from '../../../base/shell-word.ts';
import type {Decision} from '../../../policy/decision.ts';
import {addServers} from '../../../sdk/tools/add-servers.ts';
import {openTools} from '../../../sdk/tools/open-tools.ts';
import type {ApprovalAnswer} from '../../../tools/dispatch/dispatch.ts';
import {createDispatcher} from '../../../tools/dispatch/dispatcher.ts';
import type {SettingOptions} from '../command-line/run-options.ts';
import {listenForInterrupts} from '../interrupt.ts';
import type {Io} from '../io.ts';
import {exitCodeOf, structuredForm} from '../output/call-result.ts';
import {noteBackgroundCommands} from '../output/note-background-commands.ts';
import {settingsFor} from '../settings-for.ts';
import {serversOf} from '../toolset-with-servers.ts';

/**
 * `fettle tools call NAME JSON`: the same dispatcher as in a thread, without a model. A call that would need approval runs and is reported on
 * stderr, unless the reason is the place it acts on; a call that a rule denies does not run.
 */
export async function callTool(
  io: Io,
  call: {name: string; json: string},
  options: SettingOptions & {readonly json?: true},
): Promise<number> {
  const session = await settingsFor(io, options);
  const opened = await openTools({session, spoolDir: join(session.paths.stateDir, 'spool', 'tools')});
  const text = call.json === '-' ? await io.readStdin() : call.json;
  const interrupts = listenForInterrupts(() => io.note('Cancelling. Press Ctrl-C again to end at once.'));
  const signal = interrupts.signal();
  const only = serversOf(session, {name: call.name, json: text});
  const servers = only.length > 0 ? await addServers(opened, session, {signal, only, onWait: io.note}) : undefined;
  try {
    for (const notice of (servers ?? opened).notices) io.note(notice);
    const dispatcher = createDispatcher({...(servers ?? opened).dispatcher, approve: async ({decision}) => carriedOut(io, decision)});
    const [result] = await dispatcher.dispatchAll([{id: 'call_1', name: call.name, arguments: text}], signal);
    if (result === undefined) throw new FettleError({code: 'INTERNAL', message: 'The call has no result.'});
    // Paths of changes are needed as they are until here.
    const redactor = createRedactor({secrets: opened.dispatcher.secrets, shapes: false});
    if (options.json === true) io.data(`${JSON.stringify(redactor.value(structuredForm(result)), null, 2)}\n`);
    else io.shown(`${result.text}\n`);
    return exitCodeOf(result);
  } finally {
    const [kept] = await Promise.all([opened.endJobs(), servers?.close()]);
    noteBackgroundCommands(io, kept);
    interrupts.dispose();
  }
}

/**
 * Allows the call, since the person typed it, unless it acts outside the workspace or on autoloaded files: these need a rule that names them
 * exactly. Throws DENIED.
 */
function carriedOut(io: Io, {parts, reason}: Decision): ApprovalAnswer {
  const placed = parts.filter(({verdict, place}) => verdict === 'ask' && place !== undefined);
  const [first] = placed;
  if (first === undefined) {
    io.note(createRedactor({shapes: true}).text(`Asked about, and carried out because you called it: ${reason}`));
    return {decision: 'allow'};
  }
  const rules = [...new Set(placed.map(({place}) => place?.allow))];
  const flags = rules.every((rule) => rule !== undefined) ? rules.map((rule) => `--allow ${shellQuoted(rule)}`).join(' ') : undefined;
  throw new FettleError({
    code: 'DENIED',
    message: `Denied: ${first.reason}, and \`tools call\` needs a rule for such a place.`,
    hint: flags === undefined ? 'No rule allows it in this form: name the file by its plain path.' : `It passes with ${flags}`,
  });
}
