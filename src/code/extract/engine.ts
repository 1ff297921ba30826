import {readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {setFlagsFromString} from 'node:v8';
import type * as TreeSitter from 'web-tree-sitter';
import type {CursorCalls} from './walk-cursor.ts';
import type {EngineMemory} from './walk-memory.ts';

/** What parses: its functions and its memory. */
export interface Engine {
  readonly module: Pick<typeof TreeSitter, 'Parser' | 'Language'>;
  readonly calls: CursorCalls & EngineMemory;
}

let engine: Promise<Engine> | undefined;

/** Starts the engine once for each thread. */
export function openEngine(): Promise<Engine> {
  return (engine ??= start());
}

async function start(): Promise<Engine> {
  const module = await import('web-tree-sitter');
  const wasmBinary = await readFile(engineFile());
  // The engine puts its functions and its memory on the object that it is given.
  const calls: Partial<Engine['calls']> = {};
  await module.Parser.init(Object.assign(calls, {wasmBinary}) as object);
  return {module, calls: calls as Engine['calls']};
}

/**
 * Lets the engine be optimised in all threads of this process, and grammars never: their lexers are single functions of a megabyte, on which the
 * optimising compiler needs gigabytes, and may abort (nodejs/node#63421). The process has to run with `--liftoff-only`, and has to call this
 * before it parses or starts a thread: threads share the code of equal modules as long as one of them is kept.
 */
export function optimiseEngine(): void {
  if (!existsSync(engineFile())) return; // said when a grammar is asked for
  setFlagsFromString('--wasm-dynamic-tiering');
  setFlagsFromString('--no-wasm-lazy-compilation');
  kept.push(new wasm.WebAssembly.Module(readFileSync(engineFile())));
  setFlagsFromString('--no-wasm-dynamic-tiering');
  setFlagsFromString('--wasm-lazy-compilation');
}

/** Only their lives count. */
const kept: object[] = [];
/** The types of Node declare no value for it. */
const wasm = globalThis as unknown as {readonly WebAssembly: {readonly Module: new (bytes: Uint8Array) => object}};

/** The bytes of a grammar: `typescript`. */
export function readGrammar(grammar: string): Promise<Uint8Array> {
  return readFile(fileOf(`tree-sitter-${grammar}.wasm`, `tree-sitter-wasm/${grammar}`));
}

function engineFile(): string {
  return fileOf('web-tree-sitter.wasm', 'web-tree-sitter');
}

/** Beside the bundle, or in the packages when the sources run as they are. */
function fileOf(file: string, inPackage: string): string {
  const shipped = [join(import.meta.dirname, 'grammars', file), join(import.meta.dirname, '../grammars', file)];
  const found = shipped.find((path) => existsSync(path));
  return found ?? createRequire(import.meta.url).resolve(`${inPackage}/${file}`);
}
