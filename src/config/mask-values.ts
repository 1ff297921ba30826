import {isJsonObject} from '../base/json.ts';
import {hideInArgs, hideInUrl} from './secret-parts.ts';

/** Settings as they may be shown: the values of `headers`, `env` and `set`, at any depth, are hidden, their names stay; so are secrets in addresses and arguments. */
export function hideValues(settings: unknown): unknown {
  if (Array.isArray(settings)) return settings.map(hideValues);
  if (!isJsonObject(settings)) return settings;
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [
      key,
      HIDDEN.includes(key) && isJsonObject(value) ? hidden(value) : hideNamed(key, value),
    ]),
  );
}

function hideNamed(key: string, value: unknown): unknown {
  if ((key === 'url' || key === 'base_url') && typeof value === 'string') return hideInUrl(value);
  if (key === 'args' && Array.isArray(value)) return hideInArgs(value.map(String));
  return hideValues(value);
}

const HIDDEN = ['headers', 'env', 'set'];

function hidden(values: object): object {
  return Object.fromEntries(Object.keys(values).map((name) => [name, '(hidden)']));
}
