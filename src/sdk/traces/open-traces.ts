import type {ThreadEvent} from '../../protocol/events.ts';
import type {SessionSettings} from '../settings/load-settings.ts';

/** Spans of a thread on their way to an OpenTelemetry receiver. */
export interface Traces {
  observe(event: ThreadEvent): void;
  /** Sends what is left, for some seconds at most. Returns what a person should know. */
  close(): Promise<readonly string[]>;
  readonly notices: readonly string[];
}

/** Nothing is loaded, and nothing sent, where no receiver is configured. */
export async function openTraces(session: SessionSettings): Promise<Traces> {
  if (session.settings.traces.otlp_endpoint === undefined && !ENDPOINTS.some((name) => (session.env[name] ?? '') !== '')) return NONE;
  const {startTraces} = await import('./start-traces.ts');
  return startTraces(session) ?? NONE;
}

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];

const NONE: Traces = {
  observe: () => {
    // Nobody wants spans.
  },
  close: async () => [],
  notices: [],
};
