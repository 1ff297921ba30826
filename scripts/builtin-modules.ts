import type {Plugin} from 'esbuild';

/** What costs milliseconds to load and what many runs never call: loaded by the first call of one of its functions. */
const LATE = new Set(['node:child_process', 'node:crypto']);

/**
 * An `import` of a built-in module reads everything that it exports, also what Node would make only when it is asked for: with `node:util` its
 * worker threads, with `node:http` the whole of `fetch`. That takes 15 ms of a start. `process.getBuiltinModule` takes the module as it is.
 */
export const builtinModules: Plugin = {
  name: 'builtin-modules',
  setup({onResolve, onLoad}) {
    onResolve({filter: /^node:/}, ({path, kind}) =>
      kind === 'import-statement' ? {path, namespace: 'builtin', sideEffects: false} : undefined,
    );
    onLoad({filter: /.*/, namespace: 'builtin'}, ({path}) => ({contents: LATE.has(path) ? calledLate(path) : taken(path)}));
  },
};

function taken(path: string): string {
  return [
    `const $module = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(path)});`,
    'const $take = (name) => $module[name];',
    ...namesOf(path).map((name) => `export const ${name} = /* @__PURE__ */ $take(${JSON.stringify(name)});`),
    'export default $module;',
  ].join('\n');
}

/** Functions alone: an import of a class or a constant from such a module is an error of the build. */
function calledLate(path: string): string {
  const functions = namesOf(path).filter((name) => /^[a-z]/.test(name) && typeof builtin(path)[name] === 'function');
  return [
    `const $module = () => process.getBuiltinModule(${JSON.stringify(path)});`,
    "const $promisified = Symbol.for('nodejs.util.promisify.custom');",
    'const $late = (name) => Object.defineProperty((...args) => $module()[name](...args), $promisified, {get: () => $module()[name][$promisified]});',
    ...functions.map((name) => `export const ${name} = /* @__PURE__ */ $late(${JSON.stringify(name)});`),
    'export default /* @__PURE__ */ new Proxy({}, {get: (_, name) => $module()[name]});',
  ].join('\n');
}

function namesOf(path: string): readonly string[] {
  return Object.keys(builtin(path)).filter((name) => /^[A-Za-z]\w*$/.test(name) && name !== 'default');
}

function builtin(path: string): Readonly<Record<string, unknown>> {
  const found: unknown = process.getBuiltinModule(path);
  return found as Readonly<Record<string, unknown>>;
}
