import {isJsonObject} from '../../base/json.ts';
import {EXPORT_FORMATS} from '../../sessions/export/export-session.ts';
import type {ThreadPlugin} from '../plugins/thread-plugin.ts';
import {
  COUNT,
  FLAG,
  FUNCTION,
  arrayShape,
  OBJECT,
  objectShape,
  enumShape,
  optional,
  SIGNAL,
  TEXT,
  type Parameters,
  type Shape,
} from './check-arguments.ts';
import type {Provider} from '../../models/provider.ts';
import {MODES, RESTORE, SANDBOXES} from './thread-arguments.ts';

const SESSION: Shape = {
  must: 'what loadSettings() returned',
  fits: (value) => isJsonObject(value) && isJsonObject(value['settings']) && isJsonObject(value['paths']),
};

const RESUME: Shape = {
  must: '{id} or "latest"',
  fits: (value) => value === 'latest' || (isJsonObject(value) && TEXT.fits(value['id'])),
};

const SCHEMA: Shape = {must: 'a JSON Schema', fits: (value) => typeof value === 'boolean' || OBJECT.fits(value)};
/** Stands in for the model where a provider is handed in: the provider knows its own. */
const NOTHING: Shape = {must: 'left out beside a provider: it is the model', fits: (value) => value === undefined};
const ANY: Shape = {must: 'anything', fits: () => true};

const PROVIDER: Shape = {
  must: 'a provider: {model, stream()}',
  fits: (value) =>
    OBJECT.fits(value) && TEXT.fits((value as Partial<Provider>).model) && FUNCTION.fits((value as Partial<Provider>).stream),
};

const PLUGIN: Shape = {
  must: 'a plugin: {name, …}',
  fits: (value) => OBJECT.fits(value) && TEXT.fits((value as Partial<ThreadPlugin>).name),
};

const HOST = {
  approve: FUNCTION,
  askUser: FUNCTION,
  onWait: FUNCTION,
  task: {must: 'a text', fits: (value: unknown) => typeof value === 'string'},
  editor: OBJECT,
  schedule: OBJECT,
  onEvent: FUNCTION,
  resume: RESUME,
  outputSchema: SCHEMA,
  readOnly: FLAG,
  verify: arrayShape({...TEXT, must: 'a command', fits: (value) => typeof value === 'string'}),
  middleware: arrayShape(ANY),
  provider: PROVIDER,
  tools: arrayShape(ANY),
  toolOptions: OBJECT,
  plugins: arrayShape(PLUGIN),
  reservedCommands: arrayShape(TEXT),
};

const TRUST: Shape = {must: '"here" or a project trust', fits: (value) => value === 'here' || OBJECT.fits(value)};
const RULES = objectShape({allow: arrayShape(TEXT), ask: arrayShape(TEXT), deny: arrayShape(TEXT)}, []);
const LIMITS = objectShape({turns: COUNT, tokens: COUNT, costUsd: COUNT, timeMs: COUNT}, []);
const SETTINGS = {model: TEXT, toolset: TEXT, mode: enumShape(MODES), sandbox: enumShape(SANDBOXES), rules: RULES, limits: LIMITS};
const PLACE = {cwd: TEXT, env: OBJECT, home: TEXT};

const WITH_SESSION = objectShape({session: SESSION, ...HOST}, ['session']);
const WITH_PROVIDER = objectShape({...PLACE, trust: TRUST, ...SETTINGS, ...HOST, model: NOTHING}, ['cwd']);
const WITH_PLACE = objectShape({...PLACE, trust: TRUST, ...SETTINGS, ...HOST}, ['cwd']);

const THREAD_OPTIONS: Shape = {
  ...OBJECT,
  formOf(value) {
    if (value['session'] !== undefined) return WITH_SESSION;
    return value['provider'] === undefined ? WITH_PLACE : WITH_PROVIDER;
  },
};

const LIST = {stateDir: TEXT, cwd: TEXT, limit: COUNT, subagents: FLAG};

/** The argument shapes of the functions of the SDK, by their names. */
export const SDK_ARGUMENTS = {
  openThread: {options: THREAD_OPTIONS, signal: SIGNAL},
  loadSettings: {request: objectShape({...PLACE, flags: OBJECT, trust: TRUST, ...SETTINGS}, ['cwd'])},
  withModel: {loaded: {must: 'what loadSettings() returned', fits: (value) => isJsonObject(value) && isJsonObject(value['settings'])}},
  openTools: {
    options: objectShape(
      {
        session: SESSION,
        spoolDir: TEXT,
        readOnly: FLAG,
        editor: OBJECT,
        schedule: OBJECT,
        threadId: TEXT,
        toolOptions: OBJECT,
        tools: arrayShape(ANY),
      },
      ['session', 'spoolDir'],
    ),
  },
  openOptimizer: {request: objectShape({session: SESSION, seed: COUNT}, ['session'])},
  judgeCall: {
    call: objectShape({session: SESSION, tool: TEXT, input: ANY, policy: OBJECT, workspaceRoot: TEXT}, ['session', 'tool']),
  },
  showContext: {session: SESSION, sessionId: optional(TEXT), signal: SIGNAL},
  replaySession: {
    request: objectShape({...PLACE, flags: OBJECT, id: TEXT, keep: FLAG, onEvent: FUNCTION}, ['id', 'env', 'home']),
    signal: SIGNAL,
  },
  createSessionSchedule: {options: objectShape({onDue: FUNCTION, clock: OBJECT, timeZone: TEXT, newId: FUNCTION}, ['onDue'])},
  listSessions: {options: objectShape(LIST, ['stateDir'])},
  searchSessions: {request: objectShape({...LIST, text: TEXT, most: COUNT}, ['stateDir', 'text', 'most'])},
  exportSession: {file: TEXT, format: enumShape(EXPORT_FORMATS)},
  listCheckpoints: {session: SESSION, id: optional(TEXT)},
  showCheckpoint: {session: SESSION, id: TEXT, files: arrayShape(TEXT)},
  restoreTo: {session: SESSION, request: RESTORE, host: optional(OBJECT)},
} as const satisfies Readonly<Record<string, Parameters>>;
