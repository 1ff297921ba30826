import {spawn} from 'node:child_process';
import {PLATFORM} from '../../exec/process/platform.ts';

/** Opens an address in the browser of the person; no shell reads it. False if no browser is found. */
export async function openPage(address: URL, env: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  const [program, ...args] = opener(address.href, env);
  if (program === undefined) return false;
  const child = spawn(program, args, {env, stdio: 'ignore', detached: true});
  const started = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
  child.unref();
  return started;
}

function opener(address: string, env: Readonly<Record<string, string | undefined>>): readonly string[] {
  if (PLATFORM === 'darwin') return ['open', address];
  if (PLATFORM === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', address];
  return env['DISPLAY'] === undefined && env['WAYLAND_DISPLAY'] === undefined ? [] : ['xdg-open', address];
}
