import type {SessionSettings} from '../settings/session-settings.ts';

/** Reports that the setting has no effect if the server of the model has no log probabilities. */
export async function notesOnLogprobs({
  settings,
  providerSettings,
}: Pick<SessionSettings, 'settings' | 'providerSettings'>): Promise<readonly string[]> {
  const {logprobs, model = ''} = settings;
  if (!logprobs) return [];
  const {reportsLogprobs} = await import('../../models/open-provider.ts');
  return reportsLogprobs(model, providerSettings) ? [] : [`${model} tells no log probabilities: logprobs = true does nothing for it.`];
}
