import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';
import type {LanguageServer} from './language-server.ts';
import type {OpenDocuments} from './open-documents.ts';
import {diagnosticsOf, fileOf, type ServerDiagnostic} from './server-words.ts';

export interface DiagnoseRequest {
  readonly server: LanguageServer;
  readonly documents: OpenDocuments;
  /** Absolute. */
  readonly file: string;
  readonly text: string;
  readonly ms: number;
}

/** What a server finds in one file. Asked where it can be asked, else waited for. Throws TIMEOUT: silence is no verdict. */
export async function diagnose(
  {server, documents, file, text, ms}: DiagnoseRequest,
  signal: AbortSignal,
): Promise<readonly ServerDiagnostic[]> {
  if (!server.can('diagnosticProvider')) return await published({server, documents, file, text, ms}, signal);
  const {uri} = await documents.sync(file, text);
  const report = await server.request('textDocument/diagnostic', {textDocument: {uri}}, {ms, signal});
  return diagnosticsOf(isJsonObject(report) ? report['items'] : undefined);
}

/** What is said of this text, and no older one. */
async function published({server, documents, file, text, ms}: DiagnoseRequest, signal: AbortSignal): Promise<readonly ServerDiagnostic[]> {
  let document: {readonly uri: string; readonly version: number} | undefined;
  const said = Promise.withResolvers<readonly ServerDiagnostic[]>();
  const forget = server.onNotification((method, params) => {
    if (method === 'textDocument/publishDiagnostics' && isAbout(params, document)) said.resolve(diagnosticsOf(params['diagnostics']));
  });
  try {
    document = await documents.sync(file, text, 'again');
    return await server.within(said.promise, 'diagnostics', {ms, signal});
  } finally {
    forget();
  }
}

function isAbout(params: Json, document: {readonly uri: string; readonly version: number} | undefined): params is JsonObject {
  if (document === undefined || !isJsonObject(params) || fileOf(params['uri']) !== fileOf(document.uri)) return false;
  return typeof params['version'] !== 'number' || params['version'] === document.version;
}
