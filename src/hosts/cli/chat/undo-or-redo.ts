import {toFettleError} from '../../../base/errors.ts';
import {visibleText} from '../../../base/visible-text.ts';
import type {OpenedThread} from '../../../sdk/thread/open-thread.ts';
import {describeRestore} from '../../../sdk/undo/describe-restore.ts';
import type {Output} from '../output/output.ts';

/** In a chat, files and conversation together; a file that others have changed since stays, with a notice. */
export async function undoOrRedo({note}: Output, thread: Pick<OpenedThread, 'restore'>, id: 'undo' | 'redo'): Promise<void> {
  try {
    const report = await thread.restore({id, scope: 'both'});
    for (const line of describeRestore(report, {dryRun: false})) note(visibleText(line));
  } catch (error) {
    const {message, hint} = toFettleError(error);
    note(visibleText([message, hint].filter((part) => part !== undefined).join(' ')));
  }
}
