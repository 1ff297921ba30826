import type {Json, JsonObject} from '../../base/json.ts';
import {decide} from '../../policy/evaluate/evaluate.ts';
import type {Decision} from '../../policy/decision.ts';
import {admitCall} from '../../tools/dispatch/admit-call.ts';
import {confined} from '../../tools/dispatch/confined-workspace.ts';
import {listFolderNames} from '../../workspace/list-folder.ts';
import {loadToolset} from './session-toolset.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {refuseSpecial} from './refuse-special-files.ts';
import {servedRequest} from './served-request.ts';
import {configuredPolicy} from './configured-policy.ts';
import {explicitPolicy} from './explicit-policy.ts';
import {contextOf} from './judging-context.ts';

export interface JudgedCall {
  readonly session: SessionSettings;
  readonly tool: string;
  readonly input: Json;
  /** `{allow, ask, deny, default}` instead of the configured rules. */
  readonly policy?: JsonObject | undefined;
  /** The root of the workspace, if it is not the folder of the session. */
  readonly workspaceRoot?: string | undefined;
}

/**
 * Decides on a call as the dispatcher would, without running anything. Throws BAD_ARGS for a call that the dispatcher could not evaluate
 * either.
 */
export async function judgeCall({session, tool, input, policy, workspaceRoot = session.cwd}: JudgedCall): Promise<Decision> {
  const rules = policy === undefined ? await configuredPolicy(session) : await explicitPolicy(policy, session);
  const served = servedRequest(tool, session.settings);
  if (served !== undefined) return await decide(served, rules);
  const {toolset} = await loadToolset(session);
  const admitted = await admitCall(toolset, {id: 'check', name: tool, arguments: JSON.stringify(input)});
  if (!admitted.ok) throw admitted.error;
  const prepared = admitted.prepared ?? admitted.tool.prepare(admitted.input);
  const {subjects} = await prepared.resolve(confined(admitted.tool, await contextOf(session, workspaceRoot)));
  await refuseSpecial(subjects, admitted.tool.permission, admitted.input);
  const {name, permission, sideEffect} = admitted.tool;
  const request = {toolNames: [...new Set([name, permission])], sideEffect, subjects, listFolder: listFolderNames};
  const decision = await decide(request, rules);
  if (prepared.background !== true || decision.verdict === 'deny') return decision;
  const kept = await decide({toolNames: ['keep'], sideEffect: 'execute', subjects, listFolder: listFolderNames}, rules);
  return decision.verdict === 'allow' || kept.verdict === 'deny' ? kept : decision;
}
