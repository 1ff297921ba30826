import {FettleError, isFettleError} from '../base/errors.ts';
import {decide} from '../policy/decide.ts';
import type {Decision, Subject} from '../policy/decision.ts';
import {isReadOnly} from '../protocol/side-effect.ts';
import type {ApprovalAnswer, ApprovalRequest, DispatcherOptions, ResolvedPermission} from './dispatch.ts';
import type {OneAtATime} from './one-at-a-time.ts';
import {orAbort} from './or-abort.ts';
import type {Tool} from './toolset.ts';

export interface PermissionQuery {
  readonly callId: string;
  readonly tool: Pick<Tool, 'name' | 'permission' | 'sideEffect'>;
  readonly input: unknown;
  readonly subjects: readonly Subject[];
}

export interface PermissionStage {
  /** Resolves where the call may run; throws DENIED, with the reason and the rule that would allow it, or CANCELLED. */
  check(query: PermissionQuery, signal: AbortSignal): Promise<void>;
}

type PermissionOptions = Pick<DispatcherOptions, 'toolset' | 'policy' | 'approve' | 'listener'> & {readonly asking: OneAtATime};

/** Asks the policy, and a person where the policy says so: one question at a time, each judged anew when its turn comes. */
export function createPermissionStage(options: PermissionOptions): PermissionStage {
  const judge = (query: PermissionQuery): Promise<Decision> | Decision => {
    const {tool, subjects} = query;
    const toolNames = [...new Set([tool.name, tool.permission])];
    return decide({toolNames, sideEffect: tool.sideEffect, subjects}, options.policy());
  };

  const resolveDirectly = (query: PermissionQuery, decision: Decision): boolean => {
    const silent = isReadOnly(query.tool.sideEffect);
    const allowed = decision.verdict === 'allow' || (decision.verdict === 'ask' && silent && !options.toolset.asksForReads);
    if (allowed && !silent) report(options, query, {decision: 'allow', decidedBy: decision.decidedBy, rule: decision.rule?.text});
    if (allowed) return true;
    if (decision.verdict === 'ask') return false;
    report(options, query, {decision: 'deny', decidedBy: decision.decidedBy, rule: decision.rule?.text});
    throw denied(decision.reason, decision);
  };

  return {
    async check(query, signal) {
      if (resolveDirectly(query, await judge(query))) return;
      await options.asking(async () => {
        const decision = await judge(query);
        if (!resolveDirectly(query, decision)) await ask(options, {query, decision}, signal);
      });
    },
  };
}

async function ask(options: PermissionOptions, asked: {query: PermissionQuery; decision: Decision}, signal: AbortSignal): Promise<void> {
  const {query, decision} = asked;
  if (options.approve === undefined) {
    report(options, query, {decision: 'deny', decidedBy: 'headless'});
    throw denied(`${decision.reason}, and nobody is here to ask`, decision);
  }
  const {callId, tool, subjects, input} = query;
  const request: ApprovalRequest = {callId, toolName: tool.name, subjects, input, decision};
  options.listener?.onPermissionRequested?.(request);
  const began = performance.now();
  const answer = await answerOf(options.approve(request, signal), signal);
  report(options, query, {decision: answer.decision, decidedBy: 'person', waitMs: performance.now() - began});
  if (answer.decision === 'cancelled') throw new FettleError({code: 'CANCELLED', message: 'Cancelled.'});
  if (answer.decision === 'deny') {
    const said = answer.feedback === undefined ? '' : ` They said: ${answer.feedback}`;
    throw new FettleError({code: 'DENIED', message: `The user refused this call.${said}`, hint: 'Do not send it again; find another way.'});
  }
}

async function answerOf(answer: Promise<ApprovalAnswer>, signal: AbortSignal): Promise<ApprovalAnswer> {
  try {
    return await orAbort(answer, signal);
  } catch (error) {
    if (isFettleError(error) && error.code === 'CANCELLED') return {decision: 'cancelled'};
    throw error;
  }
}

type Resolution = Pick<ResolvedPermission, 'decision' | 'decidedBy' | 'rule'> & {readonly waitMs?: number};

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
