import {isAbsolute, relative, resolve, sep} from 'node:path';
import {FettleError, isFettleError} from '../../base/errors.ts';
import type {Json, JsonObject} from '../../base/json.ts';
import {createExecEnvironment} from '../../exec/create-environment.ts';
import {decide} from '../../policy/evaluate/evaluate.ts';
import type {Decision, Policy, Rule, Verdict} from '../../policy/decision.ts';
import {defaultRules} from '../../policy/rules/default-rules.ts';
import {createSearchEngine} from '../../search/create-engine.ts';
import {admitCall} from '../../tools/dispatch/admit-call.ts';
import {confined} from '../../tools/dispatch/confined-workspace.ts';
import type {ToolContext} from '../../tools/context.ts';
import {createFileMemory} from '../../tools/file-memory.ts';
import {createTodoList} from '../../tools/ports/todo-list.ts';
import {listFolder} from '../../workspace/list-folder.ts';
import {openWorkspace} from '../../workspace/open-workspace.ts';
import type {Workspace} from '../../workspace/workspace.ts';
import {checkToolNames} from '../settings/check-tool-names.ts';
import {toolFolders, type SessionSettings} from '../settings/load-settings.ts';
import {sandboxProfile} from './open-command-sandbox.ts';
import {machineOf} from '../settings/machine.ts';
import {loadToolset} from './load-toolset.ts';
import {ownFileRules} from '../settings/own-files.ts';
import {refuseSpecial} from './refuse-special.ts';
import {servedRequest} from './served-request.ts';
import {toolRules} from '../settings/tool-rules.ts';
import {writtenRules} from '../settings/written-rules.ts';
import {webAccess} from '../settings/web-access.ts';

export interface JudgedCall {
  readonly session: SessionSettings;
  readonly tool: string;
  readonly input: Json;
  /** `{allow, ask, deny, default}` instead of the configured rules. */
  readonly policy?: JsonObject | undefined;
  /** The root of the workspace, where it is not the folder of the session. */
  readonly workspaceRoot?: string | undefined;
}

/** What the dispatcher would decide on a call, without running anything. Throws BAD_ARGS for a call that could not be judged there either. */
export async function judgeCall({session, tool, input, policy, workspaceRoot = session.cwd}: JudgedCall): Promise<Decision> {
  const rules = policy === undefined ? await configuredPolicy(session) : await givenPolicy(policy, session);
  const served = servedRequest(tool, session.settings);
  if (served !== undefined) return await decide(served, rules);
  const {toolset} = await loadToolset(session);
  const admitted = await admitCall(toolset, {id: 'check', name: tool, arguments: JSON.stringify(input)});
  if (!admitted.ok) throw admitted.error;
  const prepared = admitted.tool.prepare(admitted.input);
  const subjects = await prepared.subjects(confined(admitted.tool, await contextOf(session, workspaceRoot)));
  await refuseSpecial(subjects, admitted.tool.permission, admitted.input);
  const {name, permission, sideEffect} = admitted.tool;
  const request = {toolNames: [...new Set([name, permission])], sideEffect, subjects, listFolder};
  const decision = await decide(request, rules);
  if (prepared.outlives !== true || decision.verdict === 'deny') return decision;
  const kept = await decide({toolNames: ['keep'], sideEffect: 'execute', subjects, listFolder}, rules);
  return decision.verdict === 'allow' || kept.verdict === 'deny' ? kept : decision;
}

async function contextOf(session: SessionSettings, root: string): Promise<ToolContext> {
  return {
    callId: 'check',
    signal: new AbortController().signal,
    workspace: await workspaceAt(root),
    search: createSearchEngine(),
    exec: createExecEnvironment({cwd: session.cwd, spoolDir: session.paths.stateDir, env: session.env}),
    files: createFileMemory(),
    todos: createTodoList(),
    web: webAccess(session, []),
    spoolDir: session.paths.stateDir,
  };
}

/** A folder that does not exist can be judged by its name: there are no links in it. */
async function workspaceAt(root: string): Promise<Workspace> {
  try {
    return await openWorkspace(root);
  } catch (thrown) {
    if (isFettleError(thrown) && thrown.code === 'NOT_FOUND') return lexicalWorkspace(root);
    throw thrown;
  }
}

function lexicalWorkspace(root: string): Workspace {
  return {
    root,
    async resolve(path, {scope}) {
      const absolute = resolve(root, path);
      const below = relative(root, absolute);
      const inside = below === '' || (below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below));
      if (path === '' || path.includes('\0')) throw new FettleError({code: 'BAD_ARGS', message: 'The path is empty or holds a NUL.'});
      if (!inside && scope === 'inside') throw new FettleError({code: 'OUTSIDE_SCOPE', message: `${path} leads out of the workspace.`});
      return {requested: path, path: absolute, relative: below.split(sep).join('/'), inside, exists: false};
    },
  };
}

/** What is written, what the tables of tools stand for, what protects Fettle's own files, and the rules that hold without any. */
export async function configuredPolicy(session: SessionSettings): Promise<ConfiguredPolicy> {
  const {mode, toolset} = session.settings;
  const [written, own, machine] = await Promise.all([writtenRules(session), ownFileRules(session), machineOf(session)]);
  const rules = [...written.rules, ...toolRules(session), ...domainRules(session), ...own, ...defaultRules(toolset)];
  return {mode, rules, fallback: 'ask', walled: isWalled(session), machine, notices: written.notices};
}

/** A policy, and what a person should know of its rules. */
export interface ConfiguredPolicy extends Policy {
  readonly notices: readonly string[];
}

function isWalled(session: SessionSettings): boolean {
  return sandboxProfile(session) !== 'off' && !session.settings.sandbox.network;
}

/** What commands in the sandbox may reach, the tool for pages may reach, too. */
function domainRules(session: SessionSettings): Rule[] {
  if (!isWalled(session)) return [];
  return session.settings.sandbox.allowed_domains.map((domain) => ({
    text: `web_fetch:${domain}`,
    effect: 'allow',
    source: 'sandbox.allowed_domains',
  }));
}

async function givenPolicy(policy: JsonObject, session: SessionSettings): Promise<Policy> {
  const rules = EFFECTS.flatMap((effect) => textsOf(policy[effect]).map((text): Rule => ({text, effect, source: 'policy'})));
  const fallback = EFFECTS.find((effect) => effect === policy['default']) ?? 'ask';
  const {problems} = await checkToolNames(rules, toolFolders(session, session.settings.tool_paths));
  if (problems.length > 0) throw new FettleError({code: 'CONFIG', message: problems.join('\n')});
  return {mode: 'ask', rules, fallback};
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string') : [];
}

const EFFECTS: readonly Verdict[] = ['deny', 'ask', 'allow'];
