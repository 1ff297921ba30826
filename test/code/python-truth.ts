import {readFileSync} from 'node:fs';
import {join, relative, sep} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {isJsonObject, type Json} from '../../src/base/json.ts';
import {parseText} from '../../src/code/extract/parse-text.ts';
import {textOf, typeOf} from '../../src/code/extract/syntax.ts';
import {languageNamed} from '../../src/code/languages/all.ts';
import {LanguageServer} from '../../src/code/servers/language-server.ts';

/** An identifier with what pyright says it means. */
export interface Sample {
  readonly path: string;
  readonly line: number;
  readonly character: number;
  readonly text: string;
  /** `path:line:character` of each definition in these files; none where it is defined outside. */
  readonly definitions: readonly string[];
}

interface Asked {
  readonly root: string;
  readonly files: readonly string[];
  readonly count: number;
  readonly random: () => number;
}

const SERVER = join(import.meta.dirname, '../../node_modules/pyright/langserver.index.js');
const {signal} = new AbortController();

/** Asks pyright about `count` identifiers of the files, chosen by `random`. */
export async function pyrightTruth({root, files, count, random}: Asked): Promise<readonly Sample[]> {
  const texts = new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  const all = (await Promise.all([...texts].map(async ([path, text]) => await identifiers(path, text)))).flat();
  const picked = Array.from({length: Math.min(count, all.length)}, () => all.splice(Math.floor(random() * all.length), 1)).flat();
  const server = new LanguageServer({
    name: 'pyright',
    program: process.execPath,
    args: [SERVER, '--stdio'],
    languages: ['python'],
    command: 'pyright',
    isInProject: true,
    options: {},
  });
  try {
    await server.start({root, env: {PATH: process.env['PATH'] ?? ''}}, signal);
    for (const path of new Set(picked.map((one) => one.path))) {
      const textDocument = {uri: uriOf(root, path), languageId: 'python', version: 1, text: texts.get(path) ?? ''};
      await server.notify('textDocument/didOpen', {textDocument});
    }
    const samples: Sample[] = [];
    for (const one of picked) samples.push({...one, definitions: await definitions(server, {root, texts, one})});
    return samples;
  } finally {
    await server.close();
  }
}

type Place = Omit<Sample, 'definitions'>;

async function definitions(
  server: LanguageServer,
  {root, texts, one}: {readonly root: string; readonly texts: ReadonlyMap<string, string>; readonly one: Place},
): Promise<string[]> {
  const {line, character} = one;
  const params = {textDocument: {uri: uriOf(root, one.path)}, position: {line, character}};
  const said: Json = await server.request('textDocument/definition', params, {ms: 60_000, signal});
  return (Array.isArray(said) ? said : [said]).flatMap((found) => {
    const uri = isJsonObject(found) ? found['uri'] : undefined;
    const range = isJsonObject(found) ? found['range'] : undefined;
    const start = isJsonObject(range) ? range['start'] : undefined;
    if (typeof uri !== 'string' || !isJsonObject(start)) return [];
    const path = relative(root, fileURLToPath(uri)).split(sep).join('/');
    const text = texts.get(path);
    if (text === undefined) return [];
    // `*args` is declared where its stars are; its name stands behind them.
    const [at, from] = [Number(start['line']), Number(start['character'])];
    const stars = /^\**/.exec((text.split('\n')[at] ?? '').slice(from))?.[0].length ?? 0;
    return [`${path}:${at}:${from + stars}`];
  });
}

async function identifiers(path: string, text: string): Promise<Place[]> {
  const syntax = await parseText(languageNamed('python'), text, signal);
  if (syntax === undefined) return [];
  const found: Place[] = [];
  let [line, start] = [0, 0];
  for (let node = 0; node < syntax.count; node++) {
    if (typeOf(syntax, node) !== 'identifier') continue;
    const at = syntax.start[node] ?? 0;
    for (let next = text.indexOf('\n', start); next >= 0 && next < at; next = text.indexOf('\n', start)) {
      line++;
      start = next + 1;
    }
    found.push({path, line, character: at - start, text: textOf(syntax, node)});
  }
  return found;
}

function uriOf(root: string, path: string): string {
  return pathToFileURL(join(root, path)).href;
}
