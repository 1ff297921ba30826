import {join} from 'node:path';
import {scratch} from '../support/scratch.ts';
import {sharedFettle} from './shared-process.ts';
import {type Place} from './support.ts';

/** The command with a model that says what `replies` say. */
export async function scripted(replies: readonly object[]): Promise<readonly string[]> {
  const folder = await scratch({'script.json': JSON.stringify({replies})});
  return ['--model', `script:${join(folder, 'script.json')}`, '--mode', 'full-auto', '--no-sandbox', '--allow', 'bash:*'];
}

export interface Listed {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly changed: readonly string[];
  readonly notes: readonly string[];
}

export async function listed(at: Place): Promise<Listed[]> {
  return JSON.parse((await sharedFettle(at, ['checkpoints', 'list', '--json'])).stdout) as Listed[];
}

export const edit = (path: string, from: string, to: string): object => ({
  name: 'edit',
  arguments: {path, old_string: from, new_string: to},
});
export const bash = (command: string): object => ({name: 'bash', arguments: {command}});
