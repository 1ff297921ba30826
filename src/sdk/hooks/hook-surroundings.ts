import type {createHooks} from '../../agent/hooks/hooks.ts';
import type {Hook} from '../../agent/hooks/read-hooks.ts';
import {newId} from '../../base/ids.ts';
import type {Mode} from '../../policy/decision.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {isOther} from '../trust/trusted-tools.ts';
import type {HookParts} from './thread-hooks.ts';

type Surroundings = Pick<Parameters<typeof createHooks>[0], 'common' | 'environment' | 'variables' | 'changed' | 'tell'>;

/** Returns the fields that every hook of a thread receives, and its variables. */
export function surroundings(session: SessionSettings, {tools, threadId, sessionFile, emit}: HookParts): Surroundings {
  const {root: cwd} = tools.workspace;
  const project = session.trust.root === '' ? cwd : session.trust.root;
  const named = {PROJECT_DIR: project, SESSION_ID: threadId, TRANSCRIPT_PATH: sessionFile};
  return {
    common: () => ({
      session_id: threadId,
      transcript_path: sessionFile,
      cwd,
      permission_mode: THEIR_MODES[tools.policy().mode],
    }),
    environment: session.env,
    variables: Object.fromEntries(
      Object.entries(named).flatMap(([name, value]) => [
        [`FETTLE_${name}`, value],
        [`CLAUDE_${name}`, value],
      ]),
    ),
    changed: async (hook) => (hook.from === 'project' ? await changedPart(session, hook) : undefined),
    tell: (message) => emit({type: 'item.completed', item: {id: newId('itm'), type: 'harness', event: 'hook', message}}),
  };
}

/** Mode names that foreign hook scripts compare with. */
const THEIR_MODES: Readonly<Record<Mode, string>> = {
  plan: 'plan',
  ask: 'default',
  'accept-edits': 'acceptEdits',
  'full-auto': 'bypassPermissions',
};

/** A script that was edited after a person trusted it is no longer trusted, whoever edited it (CVE-2025-54136). */
async function changedPart({trust}: SessionSettings, {command}: Hook): Promise<string | undefined> {
  const parts = trust.items.filter(({kind, path}) =>
    kind === 'hook' ? path.startsWith('.fettle/hooks/') : kind === 'program' && command.includes(path),
  );
  for (const part of parts)
    if (await isOther(trust.root, part)) return `${part.path} changed since it was trusted; \`fettle trust\` shows it`;
  return undefined;
}
