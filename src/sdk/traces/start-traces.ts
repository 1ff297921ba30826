import {randomBytes} from 'node:crypto';
import {rememberSecrets} from '../../base/redact.ts';
import {systemClock} from '../../models/http/clock.ts';
import {createHttpClient} from '../../models/http/http-client.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {VERSION} from '../version.ts';
import {createGenAiSpans} from './genai-spans.ts';
import {otlpBody} from './otlp-json.ts';
import {otlpBytes} from './otlp-protobuf.ts';
import {parentFrom, type SpanAttributes} from './span.ts';
import {createSpanExporter, type SpanExporterOptions} from './span-exporter.ts';

/** Spans of a thread on their way to an OpenTelemetry receiver. */
export interface Traces {
  observe(event: ThreadEvent): void;
  /** Sends the remaining spans, for some seconds at most. Returns notices for the person. */
  close(): Promise<readonly string[]>;
  readonly notices: readonly string[];
}

/**
 * Starts tracing as configured by `[traces]` and the variables of OpenTelemetry (OTel specification › SDK
 * environment variables, OTLP exporter). Returns undefined if they switch it off. A setting of Fettle overrides
 * a variable.
 */
export function startTraces({settings, env}: Pick<SessionSettings, 'settings' | 'env'>): Traces | undefined {
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none') return undefined;
  const {otlp_endpoint: configured, content} = settings.traces;
  const protocol = env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] || env['OTEL_EXPORTER_OTLP_PROTOCOL'];
  if (configured === undefined && protocol === 'grpc') return refused('it speaks grpc, and Fettle only HTTP');
  const url = endpointOf(configured, env);
  if (url === undefined) return refused('its address is none');
  const headers = pairsOf(env['OTEL_EXPORTER_OTLP_TRACES_HEADERS'] ?? env['OTEL_EXPORTER_OTLP_HEADERS']);
  rememberSecrets(Object.values(headers));
  const resource = resourceOf(env);
  const {encode, type, notices} = formOf(protocol, resource);
  const exporter = createSpanExporter({url, headers: {...type, ...headers}, http: createHttpClient(env), clock: systemClock, encode});
  const spans = createGenAiSpans({
    content,
    onSpan: exporter.add,
    now: () => Date.now(),
    newId: (bytes) => randomBytes(bytes).toString('hex'),
    parent: parentFrom(env['TRACEPARENT']),
    agent: 'fettle',
  });
  return {
    observe: spans.observe,
    async close() {
      const problem = await exporter.close(DEADLINE_MS);
      return problem === undefined ? [] : [problem];
    },
    notices,
  };
}

const DEADLINE_MS = 3000;

interface Form extends Pick<SpanExporterOptions, 'encode'> {
  readonly type: Readonly<Record<string, string>>;
  readonly notices: readonly string[];
}

/** JSON by default: collectors take both, and people can read it. */
function formOf(protocol: string | undefined, resource: SpanAttributes): Form {
  if (protocol === 'http/protobuf')
    return {type: {'content-type': 'application/x-protobuf'}, encode: (spans) => otlpBytes(spans, resource, VERSION), notices: []};
  const isKnown = protocol === undefined || protocol === '' || protocol === 'http/json' || protocol === 'grpc';
  const notice = `Traces are sent as http/json: Fettle does not speak the protocol ${JSON.stringify(protocol)} that the variables of OpenTelemetry name.`;
  return {type: {}, encode: (spans) => otlpBody(spans, resource, VERSION), notices: isKnown ? [] : [notice]};
}

function refused(why: string): Traces {
  const notices = [`No traces are sent to the receiver that the variables of OpenTelemetry name: ${why}.`];
  return {observe: () => undefined, close: async () => [], notices};
}

/** The path of the signal is appended to the general endpoint; an endpoint for traces is used as it is (OTLP exporter › Endpoint URLs). */
function endpointOf(configured: string | undefined, env: SessionSettings['env']): URL | undefined {
  const own = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ?? '';
  const general = configured ?? env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '';
  const address = configured === undefined && own !== '' ? own : `${general.replace(/\/+$/, '')}/v1/traces`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}

/** Parses `name=value,name=value`, percent-encoded. */
function pairsOf(text: string | undefined): Readonly<Record<string, string>> {
  const pairs = (text ?? '').split(',').flatMap((pair) => {
    const [, name = '', value = ''] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/s.exec(pair) ?? [];
    return name === '' ? [] : [[decoded(name), decoded(value)] as const];
  });
  return Object.fromEntries(pairs);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function resourceOf(env: SessionSettings['env']): SpanAttributes {
  const named = env['OTEL_SERVICE_NAME'] ?? '';
  return {
    'service.name': 'fettle',
    'service.version': VERSION,
    ...pairsOf(env['OTEL_RESOURCE_ATTRIBUTES']),
    ...(named === '' ? {} : {'service.name': named}),
  };
}
