import {isJsonObject} from '../../base/json.ts';
import {EXPORT_FORMATS} from '../../sessions/export/export-session.ts';
import {
  COUNT,
  FLAG,
  FUNCTION,
  listOf,
  OBJECT,
  objectOf,
  oneOf,
  optional,
  SIGNAL,
  TEXT,
  type Parameters,
  type Shape,
} from './check-arguments.ts';
import {RESTORE} from './thread-arguments.ts';

const SESSION: Shape = {
  must: 'what loadSettings() returned',
  fits: (value) => isJsonObject(value) && isJsonObject(value['settings']) && isJsonObject(value['paths']),
};

const RESUME: Shape = {
  must: '{id} or "latest"',
  fits: (value) => value === 'latest' || (isJsonObject(value) && TEXT.fits(value['id'])),
};

const SCHEMA: Shape = {must: 'a JSON Schema', fits: (value) => typeof value === 'boolean' || OBJECT.fits(value)};
const ANY: Shape = {must: 'anything', fits: () => true};

const THREAD_OPTIONS = objectOf(
  {
    session: SESSION,
    approve: FUNCTION,
    askUser: FUNCTION,
    editor: OBJECT,
    onEvent: FUNCTION,
    resume: RESUME,
    outputSchema: SCHEMA,
    readOnly: FLAG,
    verify: listOf({...TEXT, must: 'a command', fits: (value) => typeof value === 'string'}),
    middleware: listOf(ANY),
    toolOptions: OBJECT,
    reservedCommands: listOf(TEXT),
  },
  ['session'],
);

const PLACE = {cwd: TEXT, env: OBJECT, home: TEXT, flags: OBJECT};
const TRUST: Shape = {must: '"here" or a project trust', fits: (value) => value === 'here' || OBJECT.fits(value)};
const LIST = {stateDir: TEXT, cwd: TEXT, limit: COUNT, subagents: FLAG};

/** What the functions of the SDK take, by their names. */
export const SDK_ARGUMENTS = {
  openThread: {options: THREAD_OPTIONS, signal: SIGNAL},
  loadSettings: {request: objectOf({...PLACE, trust: TRUST}, ['cwd', 'env', 'home'])},
  withModel: {loaded: {must: 'what loadSettings() returned', fits: (value) => isJsonObject(value) && isJsonObject(value['settings'])}},
  openTools: {
    options: objectOf({session: SESSION, spoolDir: TEXT, readOnly: FLAG, editor: OBJECT, threadId: TEXT, toolOptions: OBJECT}, [
      'session',
      'spoolDir',
    ]),
  },
  judgeCall: {
    call: objectOf({session: SESSION, tool: TEXT, input: ANY, policy: OBJECT, workspaceRoot: TEXT}, ['session', 'tool']),
  },
  showContext: {session: SESSION, sessionId: optional(TEXT), signal: SIGNAL},
  replaySession: {
    request: objectOf({...PLACE, id: TEXT, keep: FLAG, onEvent: FUNCTION}, ['id', 'env', 'home']),
    signal: SIGNAL,
  },
  listSessions: {options: objectOf(LIST, ['stateDir'])},
  searchSessions: {request: objectOf({...LIST, text: TEXT, most: COUNT}, ['stateDir', 'text', 'most'])},
  exportSession: {file: TEXT, format: oneOf(EXPORT_FORMATS)},
  listCheckpoints: {session: SESSION, id: optional(TEXT)},
  showCheckpoint: {session: SESSION, id: TEXT, files: listOf(TEXT)},
  restoreTo: {session: SESSION, request: RESTORE, host: optional(OBJECT)},
} as const satisfies Readonly<Record<string, Parameters>>;
