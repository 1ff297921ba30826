import {FettleError} from '../../../base/errors.ts';
import {visibleText} from '../../../base/visible-text.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import {exportSession as exportFile, EXPORT_FORMATS, type ExportFormat} from '../../../sessions/export/export-session.ts';
import {reportedDamage, type LogDamage} from '../../../sessions/log-damage.ts';
import {readLog} from '../../../sessions/log-reader.ts';
import {findSession} from '../../../sessions/session-files.ts';
import {isUntouched, listSessions, withDamage, type SessionInfo} from '../../../sessions/session-list.ts';
import {deleteSession} from '../../../sessions/session-store.ts';
import {fettlePaths} from '../../../config/paths.ts';

import type {Io} from '../io.ts';

export interface SessionListFlags {
  readonly all?: true;
  readonly children?: true;
  readonly json?: true;
}

/** `fettle sessions list`. */
export async function listSessionsCommand(io: Io, options: SessionListFlags): Promise<number> {
  const {all, children} = options;
  const place = {stateDir: stateDirOf(io), ...(all === true ? {} : {cwd: io.cwd})};
  const sessions = listSessions({...place, subagents: children === true})
    .filter((session) => !isUntouched(session))
    .map(withDamage);
  if (options.json === true) {
    io.data(`${JSON.stringify(sessions, null, 2)}\n`);
    return EXIT.done;
  }
  if (sessions.length === 0)
    io.note(options.all === true ? 'There are no sessions.' : 'There are no sessions of this folder; --all shows every folder.');
  for (const session of sessions) {
    const title = visibleText(`${ofWhom(session)}${damagedText(session)}${session.title ?? '(no prompt)'}`)
      .replaceAll('\n', ' ')
      .slice(0, 80);
    const state = session.broken === undefined ? (session.outcome ?? 'empty') : 'broken';
    io.data(
      `${session.threadId}  ${(session.startedAt ?? session.updatedAt).slice(0, 16).replace('T', ' ')}  ${state.padEnd(12)}  ${title}\n`,
    );
  }
  if (sessions.some(({damage}) => damage !== undefined)) io.note('Damaged logs: `fettle sessions show ID` shows what can be read.');
  return EXIT.done;
}

function damagedText({damage}: SessionInfo): string {
  return damage === undefined ? '' : `[damaged: ${records(damage)} unreadable] `;
}

function records({records: count}: LogDamage): string {
  return count === 1 ? '1 record' : `${count} records`;
}

/** Before the title of a subagent's log. */
function ofWhom({parent, agent = 'subagent'}: SessionInfo): string {
  return parent === undefined ? '' : `[${agent} of ${parent}] `;
}

/** `fettle sessions show ID`: the conversation, for reading. */
export async function showSession(io: Io, id: string): Promise<number> {
  const file = fileOf(io, id);
  io.shown(await exportFile(file, 'markdown'));
  await noteDamage(io, file);
  return EXIT.done;
}

async function noteDamage(io: Io, file: string): Promise<void> {
  const {damage, isCutOff} = reportedDamage(await readLog(file, () => undefined));
  if (damage !== undefined) {
    const more = damage.records > damage.lines.length ? ' …' : '';
    const where = `${damage.records === 1 ? 'line' : 'lines'} ${damage.lines.join(', ')}${more} of ${visibleText(file)}`;
    io.note(`The log is damaged: ${records(damage)} cannot be read and ${damage.records === 1 ? 'is' : 'are'} left out (${where}).`);
  }
  if (isCutOff) io.note('The last record is incomplete: the session is being written, or was killed. Resuming it moves that record aside.');
}

/** `fettle sessions export ID --format F`. */
export async function exportSessionCommand(io: Io, id: string, format: string): Promise<number> {
  if (!isExportFormat(format)) {
    throw new FettleError({code: 'USAGE', message: `${format} is not an export format.`, hint: `Use ${EXPORT_FORMATS.join(', ')}.`});
  }
  const file = fileOf(io, id);
  io.data(await exportFile(file, format));
  await noteDamage(io, file);
  return EXIT.done;
}

/** `fettle sessions delete ID`. */
export async function deleteOne(io: Io, id: string): Promise<number> {
  const {length: children} = await deleteSession(stateDirOf(io), id);
  io.note(children === 0 ? 'Deleted.' : `Deleted, with ${children} ${children === 1 ? 'log of a subagent' : 'logs of subagents'}.`);
  return EXIT.done;
}

function fileOf(io: Io, id: string): string {
  return findSession(stateDirOf(io), id).file;
}

function stateDirOf(io: Io): string {
  return fettlePaths({env: io.env, home: io.home}).stateDir;
}

function isExportFormat(format: string): format is ExportFormat {
  return EXPORT_FORMATS.some((known) => known === format);
}
