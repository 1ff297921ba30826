import {visibleText} from '../../../../base/visible-text.ts';
import {isJsonObject, parseJson, type Json} from '../../../../base/json.ts';
import {FettleError} from '../../../../base/errors.ts';
import type {Decision} from '../../../../policy/decision.ts';
import {explainLine, type LineStep} from '../../../../policy/shell/explain-line.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import {judgeCall} from '../../../../sdk/tools/judge-call.ts';
import {loadSettings} from '../../../../sdk/settings/load-settings.ts';
import type {Io} from '../../io.ts';
import {flagsOf, type SettingOptions} from '../../command-line/run-options.ts';

interface Explained {
  readonly tool: string | undefined;
  readonly json: string | undefined;
}

/** `fettle permissions explain`: explains how a call is parsed and decided, with the reason for each part. Exit code 3 if the decision is deny. */
export async function explainPermission(
  io: Io,
  {tool, json}: Explained,
  options: SettingOptions & {readonly command?: string; readonly json?: true},
): Promise<number> {
  const session = await loadSettings({cwd: options.cwd ?? io.cwd, env: io.env, home: io.home, flags: flagsOf(options)});
  const input = options.command === undefined ? parseJson(json ?? '') : {command: options.command};
  if (input === undefined || (tool === undefined && options.command === undefined)) {
    throw new FettleError({
      code: 'USAGE',
      message: 'A command, or a tool with its arguments as JSON, is needed.',
      hint: `fettle permissions explain --command 'git status | xargs rm'`,
    });
  }
  const decision = await judgeCall({session, tool: tool ?? 'bash', input});
  const steps = stepsOf(input, decision);
  if (options.json === true) io.data(`${JSON.stringify({...summary(decision), steps}, null, 2)}\n`);
  else for (const line of lines(decision, steps)) io.data(`${visibleText(line)}\n`);
  return decision.verdict === 'deny' ? EXIT.denied : EXIT.done;
}

/** A call that is not a command line has one step for each of its subjects. */
function stepsOf(input: Json, decision: Decision): readonly LineStep[] {
  const command = isJsonObject(input) ? (input['command'] ?? input['cmd']) : undefined;
  if (typeof command === 'string') return explainLine(command, decision);
  return decision.parts.map(({text, verdict, reason, rule}) => ({
    kind: 'command',
    text,
    via: [],
    verdict,
    reason,
    rule: rule === undefined ? undefined : `${rule.text} (${rule.source})`,
  }));
}

function summary({verdict, reason, decidedBy, rule, wouldAllow}: Decision): object {
  return {decision: verdict, reason, decided_by: decidedBy, rule: rule ?? null, would_allow: wouldAllow ?? null};
}

function lines(decision: Decision, steps: readonly LineStep[]): string[] {
  const rule = decision.wouldAllow === undefined ? [] : [`A rule that would allow it: ${decision.wouldAllow}`];
  return [`${decision.verdict}: ${decision.reason}`, ...steps.flatMap(stepLines), ...rule];
}

function stepLines(step: LineStep): string[] {
  const indent = '  '.repeat(step.via.length + 1);
  const reached = step.via.length === 0 ? '' : `  (by ${step.via.join(' › ')})`;
  const verdict = step.verdict ?? MEANING[step.kind];
  const moved = step.movesTo === undefined ? '' : `  → folder ${step.movesTo}`;
  const why = step.rule ?? step.reason;
  return [
    `${indent}${verdict.padEnd(7)} ${step.text.replaceAll(/\s*\n\s*/g, ' ⏎ ')}${moved}${reached}`,
    ...(why === undefined ? [] : [`${indent}        ${step.rule === undefined ? why : `rule ${why}`}`]),
  ];
}

const MEANING = {command: '', wrapper: 'runs', redirect: 'ok', assignment: 'sets', unclear: 'unclear', guess: ''} as const;
