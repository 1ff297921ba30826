import {counted} from '../../../../base/counted.ts';
import type {JobRights} from '../../../../schedule/jobs/job-definition.ts';

/** The rights of a job in one line, for the answer to `add`. */
export function rightsLine({model, mode, sandbox, allow, domains, verify}: JobRights): string {
  const parts = [
    `mode ${mode}`,
    sandbox === 'off' ? 'no sandbox' : `sandbox ${sandbox}`,
    ...(allow.length === 0 ? [] : [counted(allow.length, 'allow rule')]),
    ...(domains.length === 0 ? [] : [counted(domains.length, 'host')]),
    ...(verify.length === 0 ? [] : [`verified by ${verify.map((command) => `\`${command}\``).join(' and ')}`]),
    model === undefined ? 'the configured model' : model,
  ];
  return parts.join(', ');
}

/** The rights of a job, each with its meaning, one line each. */
export function rightsLines(rights: JobRights): readonly string[] {
  const {model, toolset, mode, sandbox, allow, ask, deny, domains, verify} = rights;
  const list = (name: string, texts: readonly string[]): string[] =>
    texts.map((text, index) => `${index === 0 ? name.padEnd(9) : ''.padEnd(9)} ${text}`);
  return [
    `mode      ${mode}: ${MODES[mode]}`,
    `sandbox   ${sandbox}: ${SANDBOXES[sandbox]}`,
    ...list('allow', allow),
    ...list(
      'ask',
      ask.map((rule) => `${rule}  (nobody is there to ask: denied)`),
    ),
    ...list('deny', deny),
    ...list('hosts', domains),
    ...list('verify', verify),
    `model     ${model ?? 'the configured one'}${toolset === undefined ? '' : `, toolset ${toolset}`}`,
    ...limitsLine(rights),
  ];
}

const MODES: Readonly<Record<JobRights['mode'], string>> = {
  plan: 'reads and looks, changes nothing',
  ask: 'reads; everything else needs an allow rule',
  'accept-edits': 'reads and edits in the workspace; commands need an allow rule',
  'full-auto': 'everything that no rule denies or asks about',
};

const SANDBOXES: Readonly<Record<JobRights['sandbox'], string>> = {
  off: 'commands that may run can do what you can do',
  'read-only': 'commands write nothing',
  'workspace-write': 'commands write in the workspace alone',
};

function limitsLine({maxTurns, maxTokens, maxCostUsd, maxTimeS}: JobRights): string[] {
  const limits = [
    ...(maxTurns === undefined ? [] : [counted(maxTurns, 'request')]),
    ...(maxTokens === undefined ? [] : [`${maxTokens} tokens`]),
    ...(maxCostUsd === undefined ? [] : [`${maxCostUsd} US dollars`]),
    ...(maxTimeS === undefined ? [] : [`${maxTimeS} s`]),
  ];
  return limits.length === 0 ? [] : [`limits    ${limits.join(', ')}`];
}
