import {systemErrorCode} from '../../base/errors.ts';
import {createRedactor} from '../../base/redact.ts';
import {visibleText} from '../../base/visible-text.ts';
import type {SessionMemory} from '../../context/memory/session-memory.ts';
import {deleteAlone} from '../../sessions/session-store.ts';
import type {KeptCommand} from '../../tools/shells/command-sessions.ts';
import type {OpenThreadOptions} from './thread-options.ts';
import type {ThreadParts} from './thread-parts.ts';

/** Ends commands, servers and traces, and closes the log. A chat that was opened but not used is removed: there is nothing to resume. */
export async function closeParts(
  options: OpenThreadOptions,
  {tools, traces, session, memory}: ThreadParts,
  isUsed: boolean,
): Promise<{readonly kept: readonly KeptCommand[]; readonly late: readonly string[]}> {
  const ended = tools.background();
  const [kept, , late] = await Promise.all([tools.endJobs(), tools.close(), traces.close()]);
  await session.log.sync();
  session.log.close();
  if (isUsed) await keepMemory(session.file, memory);
  else await deleteAlone(options.session.paths.stateDir, session);
  const {text: redacted} = createRedactor({secrets: tools.dispatcher.secrets, shapes: true});
  const reported = ended.map((command) => `Ended with the run: ${visibleText(redacted(command)).replaceAll('\n', ' ⏎ ')}`);
  return {kept, late: [...reported, ...late]};
}

/** Writes the memory for people and other programs. The log has all of it, so a full disk is no reason to fail here. */
async function keepMemory(file: string, memory: SessionMemory): Promise<void> {
  const {saveMemory} = await import('../../context/memory/memory-file.ts');
  try {
    saveMemory(file, memory.envelope());
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
  }
}
