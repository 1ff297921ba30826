import {FettleError} from '../../base/errors.ts';
import {shellWord} from '../../base/shell-word.ts';
import {visibleText} from '../../base/visible-text.ts';
import type {SessionSettings} from '../../sdk/settings/session-settings.ts';
import type {OpenThreadOptions} from '../../sdk/thread/thread-options.ts';
import {sessionInfo} from '../../sessions/session-list.ts';
import {chooseSession} from './choose-session.ts';
import type {Io} from './io.ts';
import {CHOOSE, type RunOptions} from './command-line/run-options.ts';

export interface ResumeRequest {
  readonly io: Pick<Io, 'note'>;
  readonly session: Pick<SessionSettings, 'cwd' | 'paths'>;
  readonly options: Pick<RunOptions, 'resume' | 'last' | 'cwd'>;
  /** Asks a person; absent: nobody is there. */
  readonly ask?: (question: string) => Promise<boolean>;
  /** The same for a choice: returns the typed text. */
  readonly question?: ((text: string) => Promise<string>) | undefined;
}

/**
 * Returns the session that the options name. One of another folder is continued only if `-C` names this folder or a person agrees: its paths
 * mean other files here. Throws USAGE if nobody agreed, NOT_FOUND, NOT_UNIQUE.
 */
export async function sessionToResume({io, session, options, ask, question}: ResumeRequest): Promise<OpenThreadOptions['resume']> {
  if (options.last === true) return 'latest';
  if (options.resume === undefined) return undefined;
  if (options.resume === CHOOSE) return {id: await chooseSession({io, session, question})};
  const {threadId, cwd} = sessionInfo(session.paths.stateDir, options.resume);
  if (cwd === undefined || cwd === session.cwd) return {id: threadId};
  const message = `Session ${threadId} worked in ${cwd}; this is ${session.cwd}.`;
  if (options.cwd !== undefined || ask !== undefined) io.note(visibleText(message));
  if (options.cwd !== undefined || (await ask?.('Continue it here? [y]es, [N]o: ')) === true) return {id: threadId};
  const hint = `Continue it there with -C ${shellWord(cwd)}, or here with -C ${shellWord(session.cwd)}.`;
  throw new FettleError({code: 'USAGE', message, hint});
}
