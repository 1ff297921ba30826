import {FettleError, isFettleError} from '../../base/errors.ts';
import {decide} from '../../policy/evaluate/evaluate.ts';
import type {Decision, Mode, Policy, Rule, Subject} from '../../policy/decision.ts';
import {parseRule} from '../../policy/rules/parse-rule.ts';
import {isReadOnly} from '../../protocol/side-effect.ts';
import type {Hooked} from './admit-call.ts';
import {notShown, type CallPreview, type PartialChange} from './call-preview.ts';
import type {ApprovalAnswer, ApprovalRequest, DispatcherOptions, HookCall, ResolvedPermission} from './dispatch.ts';
import type {OneAtATime} from '../mutex.ts';
import {orAbort} from '../../base/waiting/or-abort.ts';
import type {Tool} from '../toolset.ts';
import {listFolderNames} from '../../workspace/list-folder.ts';

export interface PermissionQuery {
  readonly callId: string;
  /** `why` is put before the reason, if the tool does not show the purpose of the question. */
  readonly tool: Pick<Tool, 'name' | 'permission' | 'sideEffect'> & {readonly why?: string};
  readonly input: unknown;
  readonly subjects: readonly Subject[];
  /** The files that the call would write. */
  readonly preview?: CallPreview | undefined;
  /** The call as hooks see it, and their answers; absent: hooks are not asked. */
  readonly hooked?: {readonly call: HookCall; readonly said: Hooked | undefined} | undefined;
}

export interface PermissionStage {
  /**
   * Resolves if the call may run. Throws DENIED, with the reason and the rule that would allow it, or CANCELLED.
   * Resolves to the part that may be done instead of the call; undefined: the whole call.
   */
  check(query: PermissionQuery, signal: AbortSignal): Promise<Allowance | undefined>;
  /** Returns true if the tool may read this file without a question, for files that a search finds. */
  mayRead(tool: PermissionQuery['tool'], file: Subject): Promise<boolean>;
}

/** The part of a change that may be written. */
export interface Allowance {
  readonly part: PartialChange;
  /** The person's comment for the model. */
  readonly feedback?: string | undefined;
}

type PermissionOptions = Pick<DispatcherOptions, 'toolset' | 'policy' | 'approve' | 'permissionHook' | 'listener'> & {
  readonly asking: OneAtATime;
};

/** Asks the policy, and a person where the policy says so: one question at a time, each evaluated again when its turn comes. */
export function createPermissionStage(options: PermissionOptions): PermissionStage {
  const evaluate = async ({tool, subjects, hooked}: PermissionQuery): Promise<Decision> => {
    const toolNames = [...new Set([tool.name, tool.permission])];
    const decided = await decide({toolNames, sideEffect: tool.sideEffect, subjects, listFolder: listFolderNames}, options.policy());
    const decision = withHooks(decided, hooked?.said);
    return tool.why === undefined ? decision : {...decision, reason: `${tool.why}; ${decision.reason}`};
  };

  const resolveDirectly = (query: PermissionQuery, decision: Decision): boolean => {
    const silent = isReadOnly(query.tool.sideEffect) && !query.subjects.some(isAct);
    const asksForReads = options.toolset.asksForReads || decision.decidedBy === BY_HOOK;
    const allowed = decision.verdict === 'allow' || (decision.verdict === 'ask' && silent && !asksForReads);
    if (allowed && !silent) report(options, query, {decision: 'allow', decidedBy: decision.decidedBy, rule: decision.rule?.text});
    if (allowed) return true;
    if (decision.verdict === 'ask') return false;
    report(options, query, {decision: 'deny', decidedBy: decision.decidedBy, rule: decision.rule?.text});
    throw denied(decision.reason, decision);
  };

  return {
    async mayRead(tool, file) {
      const {verdict} = await evaluate({callId: '', tool: {...tool, sideEffect: 'read'}, input: {}, subjects: [file]});
      return verdict === 'allow' || (verdict === 'ask' && !options.toolset.asksForReads);
    },
    async check(query, signal) {
      if (resolveDirectly(query, await evaluate(query))) return undefined;
      return await options.asking(async () => {
        const decision = await evaluate(query);
        return resolveDirectly(query, decision) ? undefined : await ask(options, {query, decision}, signal);
      });
    },
  };
}

/** True for subjects that change something: a tool that claims to be read-only may still declare them. */
export function isAct(subject: Subject): boolean {
  return subject.kind === 'command' || (subject.kind === 'path' && subject.write);
}

const BY_HOOK = 'hook';

/**
 * Applies the answers of hooks to a decision. A denial stays one. "ask" makes a person decide on an allowed call. "allow" counts as much as a
 * person's rule: not where an ask rule applies, and not for protected paths, which no suggested rule allows.
 */
function withHooks(decision: Decision, {permission, reason}: Partial<Hooked> = {}): Decision {
  const why = reason === undefined ? '' : `: ${reason}`;
  if (permission === 'ask' && decision.verdict === 'allow') {
    return {...decision, verdict: 'ask', decidedBy: BY_HOOK, reason: `a hook wants it to be asked${why}`};
  }
  if (permission !== 'allow' || !mayBeAllowed(decision)) return decision;
  return {...decision, verdict: 'allow', decidedBy: BY_HOOK, rule: undefined, reason: `a hook allows it${why}`};
}

/** Returns true if an ordinary rule could spare the question: only then may a hook spare it, too. */
function mayBeAllowed({verdict, wouldAllow}: Decision): boolean {
  return verdict === 'ask' && wouldAllow !== undefined;
}

/** Asks hooks before a person; undefined: the person is asked. */
async function hookAnswer(
  {permissionHook}: PermissionOptions,
  {query: {hooked, subjects}, decision}: Asked,
  signal: AbortSignal,
): Promise<ApprovalAnswer | undefined> {
  if (permissionHook === undefined || hooked === undefined) return undefined;
  const answer = await permissionHook({...hooked.call, subjects: subjectsToShow(subjects), decision}, signal);
  return answer?.decision === 'allow' && !mayBeAllowed(decision) ? undefined : answer;
}

interface Asked {
  readonly query: PermissionQuery;
  readonly decision: Decision;
}

async function ask(options: PermissionOptions, asked: Asked, signal: AbortSignal): Promise<Allowance | undefined> {
  const {query, decision} = asked;
  const hooked = await hookAnswer(options, asked, signal);
  if (hooked !== undefined) {
    report(options, query, {decision: hooked.decision, decidedBy: BY_HOOK});
    if (hooked.decision === 'allow') return undefined;
    throw new FettleError({code: 'DENIED', message: `Denied by a hook: ${hooked.feedback ?? 'no reason'}`, hint: DENIED_HINT});
  }
  if (options.approve === undefined) {
    report(options, query, {decision: 'deny', decidedBy: 'headless', ...(await remedyFor(options, query, decision))});
    throw denied(`${decision.reason}, and nobody is here to ask`, decision);
  }
  return await askOnScreen({...options, approve: options.approve}, asked, signal);
}

type Attended = PermissionOptions & {readonly approve: NonNullable<PermissionOptions['approve']>};

async function askOnScreen(options: Attended, asked: Asked, signal: AbortSignal): Promise<Allowance | undefined> {
  const {query} = asked;
  const request = requestOf(options, asked);
  options.listener?.onPermissionRequested?.(request);
  const began = performance.now();
  const {decision: answered, feedback, hunks} = await answerOf(options.approve(request, signal), signal);
  // If none of the changes is allowed, the call is denied.
  const decision = answered === 'allow' && hunks?.length === 0 ? 'deny' : answered;
  const allowance = decision === 'allow' ? await allowanceOf(options, query, {hunks, feedback}) : undefined;
  const partial = allowance === undefined ? {} : {partial: true as const};
  report(options, query, {decision, ...partial, decidedBy: 'person', waitMs: performance.now() - began});
  if (decision === 'cancelled') throw new FettleError({code: 'CANCELLED', message: 'Cancelled.'});
  if (decision === 'allow') return allowance;
  const said = feedback === undefined ? '' : ` They said: ${feedback}`;
  throw new FettleError({code: 'DENIED', message: `The user refused this call.${said}`, hint: 'Do not send it again; find another way.'});
}

function requestOf({policy}: PermissionOptions, {query, decision}: Asked): ApprovalRequest {
  const {callId, tool, subjects, input, preview} = query;
  return {
    callId,
    toolName: tool.name,
    subjects: subjectsToShow(subjects),
    input,
    decision,
    decidedWith: (rules) => decidedUnder(policy(), query, rules),
    ...(preview === undefined ? {} : {preview: () => preview.files()}),
  };
}

/** An answer that allows a part is never treated as allowing the whole. */
async function allowanceOf(
  options: PermissionOptions,
  query: PermissionQuery,
  {hunks, feedback}: Pick<ApprovalAnswer, 'hunks' | 'feedback'>,
): Promise<Allowance | undefined> {
  if (hunks === undefined) return undefined;
  try {
    if (query.preview === undefined) throw notShown();
    const part = await query.preview.part(hunks);
    return part === undefined ? undefined : {part, feedback};
  } catch (error) {
    report(options, query, {decision: 'deny', decidedBy: 'person'});
    throw error;
  }
}

async function decidedUnder(policy: Policy, {tool, subjects}: PermissionQuery, texts: readonly string[]): Promise<Decision> {
  const rules = texts.map((text): Rule => ({text, effect: 'allow', source: 'session'}));
  for (const rule of rules) parseRule(rule);
  const toolNames = [...new Set([tool.name, tool.permission])];
  return await decide(
    {toolNames, sideEffect: tool.sideEffect, subjects, listFolder: listFolderNames},
    {...policy, rules: [...rules, ...policy.rules]},
  );
}

const DENIED_HINT = 'Find another way, or say what you need.';

/** Nobody would read thousands of paths; the reason names the decisive one. */
const MAX_REPORTED = 50;

function subjectsToShow(subjects: readonly Subject[]): readonly Subject[] {
  const more = subjects.length - MAX_REPORTED;
  return more <= 0 ? subjects : [...subjects.slice(0, MAX_REPORTED), {kind: 'name', name: `… and ${more} more`}];
}

async function answerOf(answer: Promise<ApprovalAnswer>, signal: AbortSignal): Promise<ApprovalAnswer> {
  try {
    return await orAbort(answer, signal);
  } catch (error) {
    if (isFettleError(error) && error.code === 'CANCELLED') return {decision: 'cancelled'};
    throw error;
  }
}

/** Suggests the rule that would have allowed a call for which nobody could be asked. */
async function remedyFor(
  {policy}: PermissionOptions,
  {tool, subjects}: PermissionQuery,
  {offers, decidedBy, rule}: Decision,
): Promise<Pick<Resolution, 'rule' | 'allowRules' | 'allowMode'>> {
  const asked = rule?.effect === 'ask' ? {rule: rule.text} : {};
  const allowRules = offers.length === 0 ? {} : {allowRules: offers};
  if (decidedBy === BY_HOOK) return asked;
  const current = policy();
  const toolNames = [...new Set([tool.name, tool.permission])];
  for (const mode of WIDER_MODES[current.mode]) {
    const {verdict} = await decide({toolNames, sideEffect: tool.sideEffect, subjects}, {...current, mode});
    if (verdict === 'allow') return {...asked, ...allowRules, allowMode: mode};
  }
  return {...asked, ...allowRules};
}

const WIDER_MODES: Readonly<Record<Mode, readonly Mode[]>> = {
  plan: ['ask', 'accept-edits', 'full-auto'],
  ask: ['accept-edits', 'full-auto'],
  'accept-edits': ['full-auto'],
  'full-auto': [],
};

type Resolution = Pick<ResolvedPermission, 'decision' | 'partial' | 'decidedBy' | 'rule' | 'allowRules' | 'allowMode'> & {
  readonly waitMs?: number;
};

function report({listener}: PermissionOptions, {callId, tool}: PermissionQuery, resolution: Resolution): void {
  listener?.onPermissionResolved?.({callId, toolName: tool.name, waitMs: 0, ...resolution});
}

function denied(reason: string, {wouldAllow}: Decision): FettleError {
  const hint =
    wouldAllow === undefined
      ? 'Do not send it again: find another way, or say what you need.'
      : `A rule that would allow it: ${wouldAllow}`;
  return new FettleError({code: 'DENIED', message: `Denied: ${reason}.`, hint});
}
