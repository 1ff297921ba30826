import {FettleError} from '../../base/errors.ts';
import {visibleText} from '../../base/visible-text.ts';
import type {SessionSettings} from '../../sdk/settings/session-settings.ts';
import {isUntouched, listSessions} from '../../sessions/session-list.ts';
import type {Io} from './io.ts';

export interface SessionChoice {
  readonly io: Pick<Io, 'note'>;
  readonly session: Pick<SessionSettings, 'cwd' | 'paths'>;
  /** Asks a question and returns the typed answer; absent: nobody is there. */
  readonly question?: ((text: string) => Promise<string>) | undefined;
}

/** Lets a person choose one of the newest sessions of the folder, by its number. Throws USAGE if nobody chooses, NOT_FOUND without sessions. */
export async function chooseSession({io, session: {cwd, paths}, question}: SessionChoice): Promise<string> {
  const hint = '`fettle sessions list` shows them; `fettle --last` goes on with the newest.';
  if (question === undefined)
    throw new FettleError({code: 'USAGE', message: '--resume needs an id if nobody is there to choose one.', hint});
  const sessions = listSessions({stateDir: paths.stateDir, cwd, limit: MOST})
    .filter((one) => one.broken === undefined && !isUntouched(one))
    .slice(0, MOST_SHOWN);
  if (sessions.length === 0) throw new FettleError({code: 'NOT_FOUND', message: `No session exists for ${cwd}.`, hint: NONE});
  for (const [index, {title = '(no prompt)', updatedAt}] of sessions.entries()) {
    io.note(`${String(index + 1).padStart(3)}. ${updatedAt.slice(0, 16).replace('T', ' ')}  ${visibleText(title).replaceAll('\n', ' ')}`);
  }
  const typed = (await question('Which one? Its number: ')).trim();
  const chosen = /^\d+$/.test(typed) ? sessions[Number(typed) - 1] : undefined;
  if (chosen === undefined) throw new FettleError({code: 'USAGE', message: 'No session was chosen.', hint});
  return chosen.threadId;
}

const NONE = '`fettle sessions list --all` shows those of other folders.';
const MOST = 200;
const MOST_SHOWN = 20;
