import type {SessionSettings} from '../settings/session-settings.ts';
import type {Traces} from './start-traces.ts';

/** Opens tracing. Without a configured receiver, nothing is loaded or sent. */
export async function openTraces(session: SessionSettings): Promise<Traces> {
  if (session.settings.traces.otlp_endpoint === undefined && !ENDPOINTS.some((name) => (session.env[name] ?? '') !== '')) return NONE;
  const {startTraces} = await import('./start-traces.ts');
  return startTraces(session) ?? NONE;
}

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];

const NONE: Traces = {
  observe: () => {
    // Tracing is off.
  },
  close: async () => [],
  notices: [],
};
