import type {Json} from '../base/json.ts';
import type {Finding} from './check-value.ts';
import {keyPathText, type ConfigPath} from './origin.ts';
import {hideInUrl} from './secret-parts.ts';

/** Describes a violation of a schema in words: the key, what it must be, what it is. */
export function findingText({path, must, value}: Finding): string {
  if (value === undefined) return `${keyPathText(path)} is missing: ${must}`;
  const shown = isPrivate(path) ? undefined : show(typeof value === 'string' ? hideInUrl(value) : value);
  return shown === undefined ? `${keyPathText(path)} ${must}` : `${keyPathText(path)} ${must}, not ${shown}`;
}

/** Returns true for settings in which people put a key by mistake: its text must not reach a log. */
function isPrivate(path: ConfigPath): boolean {
  return (
    path.includes('api_key_env') ||
    path.includes('client_secret_env') ||
    path.includes('headers') ||
    path.includes('env') ||
    path.includes('args')
  );
}

function show(value: Json): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
