import type {Redactor} from '../base/redact.ts';
import type {DispatchListener} from './dispatch.ts';
import type {ToolItem, ToolOutput, ToolStreamEvent} from './operation.ts';

/** Passes the output of a running call on to the listener, without secrets; `end` passes on what was held back. */
export function streamOutput(callId: string, redactor: Redactor, listener: DispatchListener | undefined): OutputStream {
  const streams = new Map<ToolOutput['stream'], ReturnType<Redactor['stream']>>();
  const tell = (stream: ToolOutput['stream'], text: string): void => {
    if (text !== '') listener?.onOutput?.({callId, stream, text});
  };
  return {
    push(event) {
      if (event.type === 'item') {
        listener?.onItem?.({callId, item: redactor.value(event.item) as ToolItem['item']});
        return;
      }
      const {stream, text} = event;
      if (listener?.onOutput === undefined) return;
      const redacted = streams.get(stream) ?? redactor.stream();
      streams.set(stream, redacted);
      tell(stream, redacted.push(text));
    },
    end() {
      for (const [stream, redacted] of streams) tell(stream, redacted.end());
    },
  };
}

export interface OutputStream {
  push(event: ToolStreamEvent): void;
  end(): void;
}
