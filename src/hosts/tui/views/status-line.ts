import {type Line, span, type Span, type StyleName} from '../cells/line.ts';
import {shownRow} from '../cells/shown-text.ts';
import {lineWidth} from '../cells/wrap-line.ts';
import type {ScreenState} from '../model/screen-state.ts';
import {modeStyle, sandboxText} from './session-labels.ts';

/** The mode of vim's keys, model, mode, the person's own text, folder, branch, sandbox, context used, cost, reasons for the model and the tools: as many as fit, the most important first. */
export function statusLine(state: ScreenState): Line {
  const {size} = state;
  const line: Span[] = [];
  for (const one of partsOf(state)) {
    if (one === undefined) continue;
    const next = line.length === 0 ? [one] : [span(' · ', 'dim'), one];
    if (lineWidth([...line, ...next]) <= size.columns) line.push(...next);
  }
  const hint = span('? help', 'dim');
  const gap = size.columns - lineWidth(line) - lineWidth([hint]);
  return gap < 2 ? line : [...line, span(' '.repeat(gap)), hint];
}

function partsOf(state: ScreenState): readonly (Span | undefined)[] {
  const {info, folder} = state;
  return [
    part(vimText(state)),
    part(info.mode, modeStyle(info.mode ?? '')),
    part(info.model),
    part(state.statusText),
    part(contextText(state), isNearlyFull(state) ? 'warning' : 'dim'),
    part(info.costUsd === null || info.costUsd === undefined || info.costUsd === 0 ? undefined : `$${info.costUsd.toFixed(2)}`),
    part(info.modelReason),
    ...(info.toolReasons ?? []).map((reason) => part(reason)),
    part(info.branch === undefined ? folder : `${folder} (${info.branch})`),
    part(sandboxText(info), info.mode === 'full-auto' && info.sandbox === 'off' ? 'warning' : 'dim'),
  ];
}

function part(text: string | undefined, style: StyleName = 'dim'): Span | undefined {
  return text === undefined || text === '' ? undefined : span(shownRow(text), style);
}

function vimText({vim}: ScreenState): string | undefined {
  return vim === undefined ? undefined : `-- ${vim.mode.toUpperCase()} --`;
}

function contextText({info}: Pick<ScreenState, 'info'>): string | undefined {
  const {contextTokens: used, contextWindow: window} = info;
  if (used === undefined) return undefined;
  if (window === undefined) return `${thousands(used)} tokens`;
  const text = `${Math.round((used / window) * 100)}% of ${thousands(window)}`;
  return isNearlyFull({info}) ? `context ${text}, /compact shortens it` : text;
}

function isNearlyFull({info}: Pick<ScreenState, 'info'>): boolean {
  return info.contextTokens !== undefined && info.contextWindow !== undefined && info.contextTokens > 0.8 * info.contextWindow;
}

function thousands(count: number): string {
  return count < 1000 ? String(count) : `${Math.round(count / 1000)}k`;
}
