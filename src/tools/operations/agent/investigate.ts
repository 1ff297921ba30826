import {FettleError, isFettleError} from '../../../base/errors.ts';
import type {ToolContext} from '../../context.ts';
import {plainOperation} from '../../operation.ts';
import {orAbort} from '../../../base/waiting/or-abort.ts';
import {investigateByAgent} from './investigate-by-agent.ts';
import {investigateBySearch} from './investigate-by-search.ts';
import {investigateArgs, investigateResult, type InvestigateArgs, type InvestigateResult} from './investigation.ts';
import {readSubjects} from '../fs/path-subjects.ts';

/**
 * Investigates within limits and without changing anything. Returns findings with their evidence ("structured
 * findings", zblade tool calls › codebase_investigator). Throws TIMEOUT if the time is over before there is any finding.
 */
export const investigate = plainOperation<InvestigateArgs, InvestigateResult>({
  id: 'meta.investigate',
  permission: 'grep',
  args: investigateArgs,
  result: investigateResult,
  sideEffect: 'read',
  subjects: (_, ctx) => readSubjects('.', ctx),
  async run(asked, ctx) {
    const timeUp = asked.cancelAfterMs === undefined ? undefined : AbortSignal.timeout(asked.cancelAfterMs);
    const signal = timeUp === undefined ? ctx.signal : AbortSignal.any([ctx.signal, timeUp]);
    try {
      return await orAbort(look(asked, {...ctx, signal}), signal);
    } catch (error) {
      if (timeUp?.aborted !== true || ctx.signal.aborted) throw error;
      const message = `The investigation did not end within ${asked.cancelAfterMs} ms; nothing was found by then.`;
      throw new FettleError({code: 'TIMEOUT', message, hint: 'Give it more time, or a narrower scope.'});
    }
  },
});

async function look(asked: InvestigateArgs, ctx: ToolContext): Promise<InvestigateResult> {
  try {
    const byAgent = await investigateByAgent(asked, ctx);
    if (byAgent !== undefined) return byAgent;
  } catch (error) {
    // A subagent cannot start another one, and a model may be unreachable: searching needs neither.
    if (ctx.signal.aborted || !isFettleError(error)) throw error;
  }
  return await investigateBySearch(asked, ctx);
}
