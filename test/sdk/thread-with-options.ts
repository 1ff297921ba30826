import {loadSettings, withModel} from '../../src/sdk/settings/load-settings.ts';
import {openThread} from '../../src/sdk/thread/open-thread.ts';
import type {OpenThreadOptions} from '../../src/sdk/thread/thread-options.ts';

/** A thread in a process of its own, where files of tools can be imported as users have them. */
export interface ThreadOrder {
  readonly cwd: string;
  readonly home: string;
  /** Of the model server. */
  readonly url: string;
  readonly prompt: string;
  /** A second turn. */
  readonly again?: string;
  readonly toolOptions: OpenThreadOptions['toolOptions'];
}

/** Run by tests: `node thread-with-options.ts '{"cwd": …, "home": …}'`. */
async function main({cwd, home, url, prompt, again, toolOptions}: ThreadOrder): Promise<void> {
  const env = {PATH: process.env['PATH'], FETTLE_HOME: home, FETTLE_MODEL: 'ollama/model', OLLAMA_BASE_URL: url};
  const session = withModel(await loadSettings({cwd, env, home, flags: {'--sandbox': 'off'}}));
  const {signal} = new AbortController();
  const thread = await openThread({session, toolOptions, onEvent: () => undefined}, signal);
  const first = await thread.run(prompt, signal);
  await thread.close(again === undefined ? first : await thread.run(again, signal));
}

if (process.argv[2] !== undefined && import.meta.main) await main(JSON.parse(process.argv[2]) as ThreadOrder);
