import {COUNT, FLAG, arrayShape, objectShape, enumShape, optional, SIGNAL, TEXT, type Parameters} from './check-arguments.ts';

export const MODES = ['plan', 'ask', 'accept-edits', 'full-auto'] as const;
export const SANDBOXES = ['off', 'read-only', 'workspace-write'] as const;

export const RESTORE = objectShape(
  {id: TEXT, files: arrayShape(TEXT), scope: enumShape(['files', 'conversation', 'both']), force: FLAG, dryRun: FLAG},
  ['id'],
);

/** The argument shapes of the functions of an open thread, by their names. */
export const THREAD_ARGUMENTS = {
  run: {prompt: optional(TEXT), signal: SIGNAL},
  steer: {text: TEXT, id: optional(TEXT)},
  followUp: {text: TEXT, id: optional(TEXT)},
  grant: {rule: TEXT},
  setMode: {mode: enumShape(MODES)},
  tell: {text: TEXT},
  shell: {line: TEXT, signal: SIGNAL},
  compact: {instructions: optional({must: 'a text', fits: (value) => typeof value === 'string'}), signal: SIGNAL},
  restore: {request: RESTORE},
  agentEvents: {agentId: TEXT, most: COUNT},
  cancelAgent: {agentId: TEXT},
  retryRequest: {agentId: optional(TEXT)},
} as const satisfies Readonly<Record<string, Parameters>>;
