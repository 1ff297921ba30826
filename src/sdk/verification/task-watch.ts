import type {ThreadEvent} from '../../protocol/events.ts';

/** Facts that the harness learns from the events of a thread. */
export interface TaskWatch {
  observe(event: ThreadEvent): void;
  /** The task of a turn that has just begun; undefined if it was taken already. */
  takeTask(): {readonly text: string; readonly turnId: string} | undefined;
  /** Lists calls that were denied or failed in the run, one line each. */
  warnings(): readonly string[];
}

export function createTaskWatch(): TaskWatch {
  let turnId: string | undefined;
  let task: string | undefined;
  const warnings: string[] = [];
  const warn = (text: string): void => {
    if (warnings.length < MAX_WARNINGS) warnings.push(text.slice(0, MAX_CHARS));
  };
  return {
    observe(event) {
      if (event.type === 'turn.started') {
        turnId = event.turn_id;
        task = undefined;
      } else if (event.type === 'permission.resolved' && event.decision === 'deny')
        warn(`denied: ${event.tool_name} (${event.decided_by})`);
      else if (event.type === 'error') warn(event.message);
      if (event.type !== 'item.completed') return;
      const {item} = event;
      if (item.type === 'error') warn(item.message);
      // The first message of a turn is the task; later ones steer it.
      if (item.type === 'user_message' && item.origin !== 'harness' && turnId !== undefined) task ??= item.text;
    },
    takeTask() {
      if (turnId === undefined || task === undefined) return undefined;
      const taken = {text: task, turnId};
      turnId = undefined;
      return taken;
    },
    warnings: () => warnings,
  };
}

const MAX_WARNINGS = 20;
const MAX_CHARS = 500;
