import {authOf, entryOf} from './provider-entry.ts';
import type {ProviderSettings} from './provider-settings.ts';

/**
 * Returns the variable that has to hold the key of a model's provider and does not; undefined if it is set, or none is needed, or the provider is not
 * known.
 */
export function missingKey(model: string, settings: ProviderSettings): string | undefined {
  const entry = entryOf(model.split('/', 1)[0] ?? '', settings);
  if (entry === undefined) return undefined;
  const {key, keyVariable} = authOf(entry, settings);
  return key === undefined ? keyVariable : undefined;
}
