import {isJsonObject, parseJson, type Json} from '../../../base/json.ts';
import type {ToolContext} from '../../context.ts';
import type {InvestigateArgs, InvestigateResult} from './investigation.ts';

/**
 * Asks the read-only subagent; undefined if there is none, or if it was stopped before it found anything. Claims without evidence are kept, with
 * lower confidence.
 */
export async function investigateByAgent(
  asked: InvestigateArgs,
  {agents, callId, signal}: ToolContext,
): Promise<InvestigateResult | undefined> {
  if (agents?.profiles.some(({name, isSubagent}) => name === PROFILE && isSubagent) !== true) return undefined;
  let toolCalls = 0;
  const onProgress = (): void => void (toolCalls += 1);
  const {maxTurns, maxToolCalls} = asked;
  const reply = await agents.run({callId, task: taskFor(asked), profile: PROFILE, maxTurns, maxToolCalls, onProgress}, signal);
  const parsed = parseJson(/\{[^]*\}/.exec(reply.response)?.[0] ?? '');
  const findings = (isJsonObject(parsed) ? findingsIn(parsed['findings']) : undefined) ?? findingsInText(reply.response);
  const proven = findings.filter(({evidence}) => evidence.length > 0).length;
  // Why it was stopped is not a finding.
  if (!reply.completed && proven === 0) return undefined;
  const gaps = isJsonObject(parsed) ? textsIn(parsed['gaps']) : [];
  return {
    method: 'agent',
    findings,
    gaps: reply.completed ? gaps : [...gaps, 'The subagent was stopped before it was done.'],
    confidence: confidenceOf(findings.length, proven, reply.completed),
    searched: asked.scope,
    turnsUsed: reply.turnsUsed,
    toolCalls,
  };
}

const PROFILE = 'explore';

function taskFor({objective, scope}: InvestigateArgs): string {
  const where = scope.length === 0 ? '' : `\nLook only at files that match: ${scope.join(', ')}.`;
  return `Investigate this code base, read-only: ${objective}${where}
Answer with JSON alone: {"findings": [{"claim": "…", "evidence": ["path:line", …]}], "gaps": ["what stays open", …]}
Each claim needs evidence that you have read. Claim nothing else.`;
}

type Finding = InvestigateResult['findings'][number];

function findingsIn(value: Json | undefined): Finding[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((one: Json) => {
    const claim = isJsonObject(one) ? one['claim'] : undefined;
    return isJsonObject(one) && typeof claim === 'string' ? [{claim, evidence: textsIn(one['evidence'])}] : [];
  });
}

/** Handles an answer in another form: the whole text is the claim, and the places that it names are the evidence. */
function findingsInText(response: string): Finding[] {
  const claim = response.trim();
  return claim === '' ? [] : [{claim, evidence: [...new Set(claim.match(/[\w./-]+\.\w+:\d+/g) ?? [])]}];
}

function textsIn(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

function confidenceOf(findings: number, proven: number, completed: boolean): InvestigateResult['confidence'] {
  if (findings === 0) return 'none';
  if (proven < findings || !completed) return 'low';
  return proven > 1 ? 'high' : 'medium';
}
