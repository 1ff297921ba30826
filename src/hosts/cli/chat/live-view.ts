import type {ThreadEvent} from '../../../protocol/events.ts';
import type {Io} from '../io.ts';
import {createProgress} from '../output/progress.ts';
import {createLiveText} from './live-text.ts';

/** Like the progress of a headless run, but answers appear while they arrive, on stdout. */
export function createLiveView(io: Io): (event: ThreadEvent) => void {
  const progress = createProgress(io);
  let text = createLiveText();
  const endLine = (): void => {
    const rest = text.end();
    if (rest !== undefined) io.data(`${rest}\n`);
    text = createLiveText();
  };
  return (event) => {
    if (event.type === 'item.updated' && event.stream !== 'progress') {
      if (event.item_type === 'agent_message') io.data(text.push(event.delta));
    } else if (event.type === 'item.completed' && event.item.type === 'agent_message') endLine();
    else {
      // Text that a retry voids stays on the screen unfinished.
      endLine();
      progress(event);
    }
  };
}
