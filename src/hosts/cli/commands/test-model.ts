import {FettleError, toFettleError} from '../../../base/errors.ts';
import {EXIT, type ExitCode} from '../../../protocol/exit-code.ts';
import {AUTO_MODEL} from '../../../sdk/settings/auto-model.ts';
import type {SessionSettings} from '../../../sdk/settings/session-settings.ts';
import {loadSettings, withModel} from '../../../sdk/settings/load-settings.ts';
import type {FaultCode, ModelReport} from '../../../sdk/model-test/model-report.ts';
import {testModel as runTest} from '../../../sdk/model-test/test-model.ts';
import {windowSummary} from '../../../sdk/model/model-window.ts';
import {describeError} from '../output/describe-error.ts';
import {listenForInterrupts} from '../interrupt.ts';
import type {Io} from '../io.ts';
import {flagsOf, type SettingOptions} from '../command-line/run-options.ts';

/** `fettle models test [PROVIDER/MODEL]`: sends the request of a run, asks for a tool call, and shows the reply. With `auto`, each candidate is tested. */
export async function testModelCommand(io: Io, options: SettingOptions & {readonly json?: true}): Promise<number> {
  const session = withModel(await loadSettings({cwd: options.cwd ?? io.cwd, env: io.env, home: io.home, flags: flagsOf(options)}));
  for (const notice of session.notices) io.note(notice);
  const interrupts = listenForInterrupts(() => io.note('Cancelling. Press Ctrl-C again to end at once.'));
  try {
    if (session.settings.model !== AUTO_MODEL) {
      const report = await runTest(session, io.note, interrupts.signal());
      if (options.json === true) printJson(io, asJson(report));
      return shownReport(io, report, options);
    }
    return await testCandidates(io, session, {...options, signal: interrupts.signal()});
  } finally {
    interrupts.dispose();
  }
}

/** Tests the candidates one after another: the exit code is that of the first with a fault. */
async function testCandidates(
  io: Io,
  session: SessionSettings,
  {json, signal}: JsonFlag & {readonly signal: AbortSignal},
): Promise<ExitCode> {
  const reports: object[] = [];
  let code: ExitCode = EXIT.done;
  for (const model of new Set(session.settings.optimization.models)) {
    const candidate = {...session, settings: {...session.settings, model}};
    try {
      const report = await runTest(candidate, io.note, signal);
      reports.push(asJson(report));
      const found = shownReport(io, report, {json});
      if (code === EXIT.done) code = found;
    } catch (thrown) {
      const error = toFettleError(thrown);
      if (error.code === 'CANCELLED') throw thrown;
      reports.push({model, ok: false, fault: {code: 'not_usable', message: error.message, hint: error.hint ?? null}});
      io.note(`${model}: ${describeError(error, io.paint)}`);
      if (code === EXIT.done) code = EXIT.usage;
    }
  }
  if (json === true) printJson(io, reports);
  return code;
}

interface JsonFlag {
  readonly json?: true | undefined;
}

function printJson(io: Io, value: object): void {
  io.data(`${JSON.stringify(value, null, 2)}\n`);
}

function shownReport(io: Io, report: ModelReport, {json}: JsonFlag): ExitCode {
  for (const note of report.notes) io.note(note);
  if (json !== true) io.shown(table(report));
  const {fault} = report;
  if (fault === undefined) return EXIT.done;
  if (json !== true) io.note(describeError(new FettleError({...fault, code: 'PROVIDER'}), io.paint));
  return EXIT_OF[fault.code] ?? EXIT.failed;
}

const EXIT_OF: Readonly<Partial<Record<FaultCode, ExitCode>>> = {
  window_too_small: EXIT.usage,
  tools_refused: EXIT.provider,
  provider_error: EXIT.provider,
};

function asJson({model, fault, window, prompt, call, answer, speed, spent, notes}: ModelReport) {
  return {
    model,
    ok: fault === undefined,
    fault: fault === undefined ? null : {...fault, hint: fault.hint ?? null},
    window: {tokens: window.tokens, source: window.source, from: window.from ?? null, is_assumed: window.isAssumed ?? false},
    prompt: {
      toolset: prompt.toolset,
      tools: prompt.tools,
      estimated_tokens: prompt.estimatedTokens,
      reported_tokens: prompt.reportedTokens ?? null,
    },
    tool_call: call ?? null,
    answer: answer ?? null,
    speed: {first_token_s: speed.firstTokenS ?? null, tokens_per_s: speed.tokensPerS ?? null},
    usage: spent.usage,
    cost_usd: spent.costUsd,
    notes,
  };
}

function table({model, fault, window, prompt, call, answer, speed, spent}: ModelReport): string {
  const {toolset, tools, estimatedTokens, reportedTokens} = prompt;
  const counted = reportedTokens === undefined ? 'not counted by the server' : `${count(reportedTokens)} as the server counts`;
  const rows = [
    ['model', model],
    ['window', windowSummary(window)],
    ['prompt', `about ${count(estimatedTokens)} tokens, ${counted} (${tools} tools of the toolset ${toolset})`],
    ['tool call', call === undefined ? 'none' : `${call.name} ${oneLine(call.arguments)} (${FORMS[call.form]})`],
    ['answer', answer === undefined ? 'none' : JSON.stringify(oneLine(answer))],
    ['speed', speedWords(speed)],
    ['used', `${count(spent.usage.input_tokens)} tokens in, ${count(spent.usage.output_tokens)} out, ${costWords(spent.costUsd)}`],
    ['result', fault === undefined ? 'ok' : `failed: ${fault.code}`],
  ] as const;
  return rows.map(([name, text]) => `${name.padEnd(10)} ${text}\n`).join('');
}

const FORMS = {native: 'native', text: 'written as text'} as const;

function speedWords({firstTokenS, tokensPerS}: ModelReport['speed']): string {
  if (firstTokenS === undefined) return 'not measured';
  return `first token after ${firstTokenS} s, ${tokensPerS === undefined ? 'the rest at once' : `then ${tokensPerS} tokens/s`}`;
}

function costWords(costUsd: number | null): string {
  return costUsd === null ? 'price unknown' : `$${costUsd.toFixed(6)}`;
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS).toWellFormed()}…` : line;
}

const MAX_CHARS = 200;

function count(tokens: number): string {
  return tokens.toLocaleString('en');
}
