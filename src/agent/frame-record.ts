import type {ModelRequest} from '../models/provider.ts';
import type {ThreadFrame} from '../protocol/events.ts';
import type {ToolSchema} from '../protocol/messages.ts';

type Frame = Pick<ModelRequest, 'system' | 'tools'>;

/**
 * Returns a function that takes each request of a thread and writes a `thread.frame` for the first one, and for each that has another system
 * prompt or other tools than the one before it.
 */
export function createFrameRecord(write: (frame: ThreadFrame) => void): (request: Frame) => void {
  let last: Frame | undefined;
  return (request) => {
    if (last !== undefined && isSame(last, request)) return;
    last = {system: request.system, tools: request.tools};
    write(frameOf(request));
  };
}

/** Tools are mostly the same objects from request to request; their text is compared only if they are not. */
function isSame(one: Frame, other: Frame): boolean {
  if (one.system !== other.system || one.tools.length !== other.tools.length) return false;
  return one.tools.every((tool, index) => tool === other.tools[index] || JSON.stringify(tool) === JSON.stringify(other.tools[index]));
}

function frameOf({system, tools}: Frame): ThreadFrame {
  let room = MAX_TOOLS;
  let shortened = 0;
  const kept = tools.map((tool) => {
    const size = JSON.stringify(tool).length;
    if (size <= room) {
      room -= size;
      return tool;
    }
    shortened += 1;
    return withoutParameters(tool);
  });
  const count = shortened === 0 ? {} : {shortened_tools: shortened};
  return {type: 'thread.frame', system: shorten(system, MAX_SYSTEM), tools: kept, ...count};
}

/** Most characters in the log: texts of servers and projects may be long, and lines of a log are bounded. */
const MAX_SYSTEM = 512 * 1024;
const MAX_TOOLS = 1024 * 1024;
const MAX_DESCRIPTION = 1024;

function withoutParameters({name, description}: ToolSchema): ToolSchema {
  return {name, description: shorten(description, MAX_DESCRIPTION), parameters: {type: 'object'}};
}

function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
