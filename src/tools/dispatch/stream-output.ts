import type {Redactor} from '../../base/redact.ts';
import {createRedactedStreams} from '../../base/redacted-streams.ts';
import type {DispatchListener} from './dispatch.ts';
import type {ToolItem, ToolOutput, ToolStreamEvent} from '../stream-event.ts';

/** Passes the output of a running call on to the listener, in order and without secrets; `end` passes on the text held back. */
export function streamOutput(callId: string, redactor: Redactor, listener: DispatchListener | undefined): OutputStream {
  const streams = createRedactedStreams<ToolOutput['stream']>(redactor);
  const tell = (pieces: ReturnType<typeof streams.end>): void => {
    for (const {key: stream, text} of pieces) listener?.onOutput?.({callId, stream, text});
  };
  return {
    push(event) {
      if (event.type === 'item') listener?.onItem?.({callId, item: redactor.value(event.item) as ToolItem['item']});
      else if (listener?.onOutput !== undefined) tell(streams.push(event.stream, event.text));
    },
    end: () => tell(streams.end()),
  };
}

export interface OutputStream {
  push(event: ToolStreamEvent): void;
  end(): void;
}
