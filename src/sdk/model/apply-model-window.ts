import type {ModelWindow, SessionSettings} from '../settings/session-settings.ts';
import {windowOf, windowSummary} from './model-window.ts';

/** In a window of fewer tokens, the default toolset takes too large a share of every request. */
const SMALL_WINDOW = 8192;

/**
 * Returns the settings with the window of the model, which is looked up once. A small window also selects the
 * small toolset, unless a person named one. A guessed window changes nothing.
 */
export async function withWindow(session: SessionSettings): Promise<SessionSettings & {readonly window: ModelWindow}> {
  const window = await windowOf(session.settings.model ?? '', session);
  const isSmall = window.source !== 'guess' && window.tokens < SMALL_WINDOW;
  if (!isSmall || !isDefault(session)) return {...session, window};
  return {...session, settings: {...session.settings, toolset: 'small'}, window};
}

/** Returns notices about the window: that it is small, assumed or unknown, or that another toolset was selected because of it. */
export function windowNotes({window, settings, origins}: SessionSettings): readonly string[] {
  if (window === undefined) return [];
  if (window.isSilent === true) return [silence(window)];
  const took = settings.toolset === 'small' && isDefault({origins});
  if (!took && window.isAssumed !== true) return [];
  const tools = took ? ' The toolset small is used for it; --toolset fettle takes the usual one.' : '';
  return [`The window of ${window.model} is ${windowSummary(window)}.${tools}`];
}

function silence({model, tokens}: ModelWindow): string {
  const assumed = tokens.toLocaleString('en');
  return `The server of ${model} did not say its window in time: ${assumed} tokens are assumed. context.window_tokens sets it.`;
}

function isDefault({origins}: Pick<SessionSettings, 'origins'>): boolean {
  return (origins['toolset']?.source ?? 'default') === 'default';
}
