import {isJsonObject} from '../base/json.ts';

/** Settings as they may be shown: the values of `headers` and `env`, at any depth, are hidden; their names stay. */
export function hideValues(settings: unknown): unknown {
  if (Array.isArray(settings)) return settings.map(hideValues);
  if (!isJsonObject(settings)) return settings;
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [key, HIDDEN.includes(key) && isJsonObject(value) ? hidden(value) : hideValues(value)]),
  );
}

const HIDDEN = ['headers', 'env'];

function hidden(values: object): object {
  return Object.fromEntries(Object.keys(values).map((name) => [name, '(hidden)']));
}
