import type {SessionSettings} from '../settings/session-settings.ts';

/** Says that the setting does nothing, where the server of the model has no log probabilities to tell. */
export async function notesOnLogprobs({
  settings,
  providerSettings,
}: Pick<SessionSettings, 'settings' | 'providerSettings'>): Promise<readonly string[]> {
  const {logprobs, model = ''} = settings;
  if (!logprobs) return [];
  const {reportsLogprobs} = await import('../../models/open-provider.ts');
  return reportsLogprobs(model, providerSettings) ? [] : [`${model} tells no log probabilities: logprobs = true does nothing for it.`];
}
