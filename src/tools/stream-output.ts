import type {DispatchListener} from './dispatch.ts';
import type {ToolStreamEvent} from './operation.ts';
import type {Redactor} from './redact.ts';

/** Passes the output of a running call on to the listener, without secrets; `end` passes on what was held back. */
export function streamOutput(callId: string, redactor: Redactor, listener: DispatchListener | undefined): OutputStream {
  const streams = new Map<ToolStreamEvent['stream'], ReturnType<Redactor['stream']>>();
  const tell = (stream: ToolStreamEvent['stream'], text: string): void => {
    if (text !== '') listener?.onOutput?.({callId, stream, text});
  };
  return {
    push({stream, text}) {
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
