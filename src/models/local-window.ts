import {isJsonObject, parseJson, type Json, type JsonObject} from '../base/json.ts';
import type {HttpReader} from './http/http-client.ts';
import {listOf, numberOf, objectOf, stringOf} from './json-fields.ts';

export interface LocalServer {
  /** Name of the provider. */
  readonly provider: string;
  /** The server's own name of the model. */
  readonly wireModel: string;
  /** With the version, as requests go there. */
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly http: HttpReader;
  /** The environment: `OLLAMA_CONTEXT_LENGTH` holds for a server on the same machine. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface FoundWindow {
  readonly tokens: number;
  /** The endpoint and field that said it. */
  readonly from: string;
  /** True if the server did not report it: its default without a setting. */
  readonly isAssumed: boolean;
}

/**
 * Asks a local server for the context of a model: llama.cpp `/props`, LM Studio `/api/v0/models`, vLLM and others `/v1/models`, Ollama `/api/ps`
 * and `/api/show`. Never throws; undefined if nothing is said before the signal.
 */
export async function askWindow(server: LocalServer, signal: AbortSignal): Promise<FoundWindow | undefined> {
  const asked = (ASKED_OF[server.provider] ?? ALL).map((ask) => ask(server, signal).catch(() => undefined));
  for (const answer of asked) {
    const found = await answer;
    if (found !== undefined && found.tokens >= SMALLEST && found.tokens <= LARGEST) return found;
  }
  return undefined;
}

/** Smallest plausible window in tokens; anything else is a mistake, or hostile. */
const SMALLEST = 256;
const LARGEST = 100_000_000;

type Ask = (server: LocalServer, signal: AbortSignal) => Promise<FoundWindow | undefined>;

/** llama.cpp: the context of one slot, which is the part that a request can use. */
const askProps: Ask = async (server, signal) => {
  const props = await fetchJson(server, {path: '/props'}, signal);
  return said(objectOf(props['default_generation_settings'])['n_ctx'] ?? props['n_ctx'], '/props n_ctx');
};

/** LM Studio: the context that the model was loaded with; before it is loaded only what it could have is known, and that is not used. */
const askLmStudio: Ask = async (server, signal) => {
  const models = await fetchJson(server, {path: '/api/v0/models'}, signal);
  return said(modelIn(models, server.wireModel)['loaded_context_length'], '/api/v0/models loaded_context_length');
};

const askModels: Ask = async (server, signal) => {
  const model = modelIn(await fetchJson(server, {path: '/models', underBase: true}, signal), server.wireModel);
  for (const field of WINDOW_FIELDS) {
    const found = said(model[field] ?? objectOf(model['meta'])[field], `/v1/models ${field}`);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** The names used by vLLM, llama.cpp, SGLang and gateways. */
const WINDOW_FIELDS = ['max_model_len', 'n_ctx', 'loaded_context_length', 'context_length', 'context_window', 'max_context_length'];

/**
 * Ollama: of a loaded model `/api/ps` says the context. Before, it is `num_ctx` of the model file, else OLLAMA_CONTEXT_LENGTH of the server,
 * else 4,096 on most machines, however much the model was trained for: Ollama cuts silently what is longer, so the smaller is assumed.
 */
const askOllama: Ask = async (server, signal) => {
  const running = listOf((await fetchJson(server, {path: '/api/ps'}, signal))['models']).map(objectOf);
  const loaded = running.find((model) => isSameModel(stringOf(model['name']) || stringOf(model['model']), server.wireModel));
  const now = said(loaded?.['context_length'], '/api/ps context_length');
  if (now !== undefined) return now;
  const shown = await fetchJson(server, {path: '/api/show', body: {model: server.wireModel}}, signal);
  const [, numCtx] = /^\s*num_ctx\s+(\d+)/m.exec(stringOf(shown['parameters'])) ?? [];
  if (numCtx !== undefined) return said(Number(numCtx), '/api/show num_ctx');
  const info = objectOf(shown['model_info']);
  const trained = numberOf(Object.entries(info).find(([key]) => key.endsWith('.context_length'))?.[1]);
  if (trained === 0) return undefined;
  const configured = Number(server.env['OLLAMA_CONTEXT_LENGTH'] ?? '');
  if (configured > 0) return {tokens: Math.min(trained, configured), from: 'OLLAMA_CONTEXT_LENGTH', isAssumed: false};
  const isCut = trained > OLLAMA_DEFAULT;
  return {tokens: isCut ? OLLAMA_DEFAULT : trained, from: isCut ? 'default of Ollama' : '/api/show context_length', isAssumed: isCut};
};

/** docs.ollama.com/context-length: below 24 GiB of graphics memory. */
const OLLAMA_DEFAULT = 4096;

const ALL: readonly Ask[] = [askProps, askLmStudio, askModels, askOllama];

const ASKED_OF: Readonly<Record<string, readonly Ask[]>> = {
  ollama: [askOllama],
  lmstudio: [askLmStudio, askModels],
  llamacpp: [askProps, askModels],
  vllm: [askModels],
};

function said(value: Json | undefined, from: string): FoundWindow | undefined {
  const tokens = typeof value === 'number' && Number.isInteger(value) ? value : 0;
  return tokens > 0 ? {tokens, from, isAssumed: false} : undefined;
}

function modelIn(answer: JsonObject, wireModel: string): JsonObject {
  const models = listOf(answer['data']).map(objectOf);
  // A server with one model answers to any name.
  return models.find((model) => isSameModel(stringOf(model['id']), wireModel)) ?? (models.length === 1 ? (models[0] ?? {}) : {});
}

/** Ollama: without a tag, `latest` is meant. */
function isSameModel(name: string, wireModel: string): boolean {
  return name === wireModel || name === `${wireModel}:latest`;
}

interface Query {
  readonly path: string;
  /** Absent: the path is relative to the root of the server. */
  readonly underBase?: true;
  /** Absent: GET. */
  readonly body?: JsonObject;
}

async function fetchJson(server: LocalServer, {path, underBase, body}: Query, signal: AbortSignal): Promise<JsonObject> {
  const {baseUrl, headers, http} = server;
  const root = underBase === true ? baseUrl : baseUrl.replace(/\/v1$/, '');
  const url = new URL(root.replace(/\/+$/, '') + path);
  const answer = body === undefined ? http.get({url, headers, signal}) : http.post({url, headers, body: JSON.stringify(body), signal});
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer) {
    if (!(part instanceof Uint8Array)) {
      if (part.status !== 200) return {};
      continue;
    }
    chunks.push(part);
    bytes += part.byteLength;
    if (bytes > MAX_BYTES) return {};
  }
  const json = parseJson(Buffer.concat(chunks).toString('utf8'));
  return isJsonObject(json) ? json : {};
}

/** `/api/show` sends the whole licence and template along. */
const MAX_BYTES = 4 * 1024 * 1024;
