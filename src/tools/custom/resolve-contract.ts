import {registerHooks, type ResolveFnOutput, type ResolveHookContext} from 'node:module';
import {sep} from 'node:path';
import {fileURLToPath} from 'node:url';

/**
 * Lets files below these folders (real paths) import `fettle/tools` wherever Fettle is installed, and loads them
 * as ES modules, including TypeScript, without a package.json beside them. The hooks belong to the process: they
 * are registered once, and stay for later imports of a tool.
 */
export function resolveContractFor(folders: readonly string[]): void {
  for (const folder of folders) FOLDERS.add(folder);
  if (state.registered) return;
  state.registered = true;
  registerHooks({resolve});
}

const FOLDERS = new Set<string>();
const state = {registered: false};

const NAME = 'fettle/tools';

/** Either the sources, or the bundle, in which the package finds itself by name. */
const CONTRACT = import.meta.url.endsWith('.ts') ? new URL('../index.ts', import.meta.url).href : import.meta.resolve(NAME);

type NextResolve = (specifier: string, context?: Partial<ResolveHookContext>) => ResolveFnOutput;

function resolve(specifier: string, context: ResolveHookContext, next: NextResolve): ResolveFnOutput {
  if (specifier === NAME && isToolCode(context.parentURL)) return {url: CONTRACT, shortCircuit: true};
  const resolved = next(specifier, context);
  return isToolCode(resolved.url) ? {...resolved, format: formatOf(resolved.url) ?? resolved.format} : resolved;
}

function isToolCode(url: string | undefined): boolean {
  if (url === undefined || !url.startsWith('file:')) return false;
  const path = fileURLToPath(url);
  if (path.includes(`${sep}node_modules${sep}`)) return false;
  return [...FOLDERS].some((folder) => path.startsWith(`${folder}${sep}`));
}

function formatOf(url: string): string | undefined {
  if (url.endsWith('.ts')) return 'module-typescript';
  return /\.m?js$/.test(url) ? 'module' : undefined;
}
