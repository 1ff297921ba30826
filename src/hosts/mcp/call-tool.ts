import {hash} from 'node:crypto';
import {
  inputRequired,
  inputResponse,
  type CallToolResult,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import {newId} from '../../base/ids.ts';
import {visibleText} from '../../base/visible-text.ts';
import {subjectText} from '../../policy/rules/subject-text.ts';
import {isReadOnly} from '../../protocol/side-effect.ts';
import type {ApprovalAnswer, ApprovalRequest, DispatcherOptions, DispatchListener} from '../../tools/dispatch/dispatch.ts';
import {createDispatcher} from '../../tools/dispatch/dispatcher.ts';
import type {OneAtATime} from '../../tools/mutex.ts';
import type {Tool} from '../../tools/toolset.ts';

/** Dependencies that all calls share. */
export interface ToolHost {
  readonly dispatcher: Omit<DispatcherOptions, 'approve' | 'listener'>;
  /** The folder that is worked in. */
  readonly root: string;
  /** Serializes calls that change something: clients send calls concurrently. */
  readonly changing: OneAtATime;
  /** True if tools that are made of other tools are listed. Default no. */
  readonly compositeTools?: boolean;
}

/** Facts about a tool that are needed before it is called. */
export type CalledTool = Pick<Tool, 'name' | 'sideEffect'>;

export interface RemoteCall {
  readonly name: string;
  readonly args: object;
  /** The tool with this name; undefined: the name gets an error. */
  readonly tool: CalledTool | undefined;
  /** True if the client can ask a person. */
  readonly canAsk: boolean;
  readonly mint: (approved: Approved, ctx: ServerContext) => Promise<string>;
}

/** The signed state of an approval that goes through the client: the call that the person is asked about. */
export interface Approved {
  readonly call: string;
}

const QUESTION = 'approval';
const MAX_PROGRESS = 1000;

/**
 * One call. Where a person must be asked, nothing has run yet: the client gets the question (2026-07-28 › multi round trip; older clients
 * are asked by `elicitation/create`), and sends the same call again with the answer.
 */
export async function answerToolCall(host: ToolHost, call: RemoteCall, ctx: ServerContext): Promise<CallToolResult | InputRequiredResult> {
  const id = newId('call');
  const text = JSON.stringify(call.args);
  const digest = hash('sha256', `${call.name}\n${text}`);
  const asked: {request?: ApprovalRequest} = {};
  const approve = async (request: ApprovalRequest): Promise<ApprovalAnswer> => {
    // Only the call itself is asked about: a question that comes later (a check of the change) comes when something has run already.
    if (request.callId !== id || request.toolName !== call.tool?.name) return {decision: 'deny'};
    const answer = answerOf(ctx, digest);
    if (answer !== undefined) return {decision: answer};
    asked.request = request;
    return {decision: 'cancelled'};
  };
  // A dispatcher of its own: a client may well send the same call again and again, which the guard against loops of a model would stop.
  const dispatcher = createDispatcher({
    ...host.dispatcher,
    ...(call.canAsk ? {approve} : {}),
    listener: progressListener(ctx),
  });
  const dispatch = () => dispatcher.dispatch({id, name: call.name, arguments: text}, ctx.mcpReq.signal);
  const result = call.tool !== undefined && isReadOnly(call.tool.sideEffect) ? await dispatch() : await host.changing(dispatch);
  if (asked.request !== undefined) return await question(asked.request, {call: digest}, {call, ctx});
  return {content: [{type: 'text', text: result.text}], isError: result.isError};
}

/** The person's answer to this very call; undefined: not asked yet. */
function answerOf(ctx: ServerContext, digest: string): 'allow' | 'deny' | undefined {
  const state = ctx.mcpReq.requestState<Approved>();
  if (typeof state !== 'object' || state.call !== digest) return undefined;
  const answer = inputResponse(ctx.mcpReq.inputResponses, QUESTION);
  if (answer.kind !== 'elicit') return undefined;
  return answer.action === 'accept' && answer.content?.['allow'] === true ? 'allow' : 'deny';
}

async function question(
  request: ApprovalRequest,
  approved: Approved,
  {call, ctx}: {call: RemoteCall; ctx: ServerContext},
): Promise<InputRequiredResult> {
  const ask = inputRequired.elicit({
    message: questionText(request),
    requestedSchema: {
      type: 'object',
      properties: {allow: {type: 'boolean', title: 'Allow', description: 'Run this call once.'}},
      required: ['allow'],
    },
  });
  return inputRequired({inputRequests: {[QUESTION]: ask}, requestState: await call.mint(approved, ctx)});
}

/** Shows the whole call, and the reason for the question. */
function questionText({toolName, subjects, input, decision}: ApprovalRequest): string {
  const lines = subjects.map(subjectText);
  const shown = subjects.every(({kind}) => kind === 'name') ? [...lines, JSON.stringify(input)] : lines;
  const rule = decision.wouldAllow === undefined ? '' : `\nA rule that allows it for good: ${decision.wouldAllow}`;
  return visibleText(`May ${toolName} do this? ${decision.reason}\n${shown.join('\n')}${rule}`);
}

/** Passes a tool's output on as progress of the request. */
function progressListener({mcpReq}: ServerContext): DispatchListener {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return {};
  let progress = 0;
  return {
    onOutput({text}) {
      if (progress >= MAX_PROGRESS) return;
      progress += 1;
      const params = {progressToken, progress, message: visibleText(text.slice(0, 1000))};
      mcpReq.notify({method: 'notifications/progress', params}).catch(() => undefined); // a disconnected client gets no answer
    },
  };
}
