import {FettleError} from '../../../base/errors.ts';
import {visibleText} from '../../../base/visible-text.ts';
import {fettlePaths} from '../../../config/paths.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import {searchSessions} from '../../../sessions/search-sessions.ts';
import type {Io} from '../io.ts';

export interface SearchFlags {
  readonly all?: true;
  readonly json?: true;
  readonly limit: string;
}

/** `fettle sessions search TEXT`: a line for each item; `sessions show ID --item N` shows it whole. Exit code 1 if nothing is found. */
export async function searchAll(io: Io, text: string, {all, json, limit}: SearchFlags): Promise<number> {
  const most = Number(limit);
  if (text.trim() === '') throw new FettleError({code: 'USAGE', message: 'No text to search for was given.'});
  if (!Number.isSafeInteger(most) || most < 1) throw new FettleError({code: 'USAGE', message: `${limit} is not a number of at least 1.`});
  const {stateDir} = fettlePaths({env: io.env, home: io.home});
  const found = await searchSessions({stateDir, text, most, ...(all === true ? {} : {cwd: io.cwd})});
  if (json === true) {
    const hits = found.map(({session, ...hit}) => ({session: session.threadId, cwd: session.cwd, ...hit}));
    io.data(`${JSON.stringify(hits, undefined, 2)}\n`);
  } else {
    for (const {session, number, type, excerpt} of found) io.data(`${session.threadId}  ${number}  ${type}  ${visibleText(excerpt)}\n`);
    if (found.length === 0) io.note(all === true ? 'No session has it.' : 'No session of this folder has it; --all looks in every folder.');
    if (found.length === most) io.note(`The first ${most}; --limit shows more.`);
  }
  return found.length === 0 ? EXIT.failed : EXIT.done;
}
