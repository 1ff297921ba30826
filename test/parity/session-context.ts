import {join} from 'node:path';
import type {Mode} from '../../src/policy/decision.ts';
import type {DispatcherOptions} from '../../src/tools/dispatch/dispatch.ts';
import {send, webServer} from '../tools/support/web-server.ts';

export interface SessionContext {
  readonly context: Pick<DispatcherOptions['context'], 'web' | 'skills' | 'modes'>;
  /** Calls and texts name the server as `<web>`. */
  readonly origin: string;
}

/** What a session has besides its folder: a web with one page and a search engine, one skill, the mode `plan`. */
export async function sessionContext(root: string): Promise<SessionContext> {
  let mode: Mode = 'plan';
  const hits = JSON.stringify({results: [{title: 'Docs', url: 'https://docs.example/', content: 'About it.'}]});
  const web = await webServer((request, response) => {
    if (request.url?.startsWith('/search') === true) send(response, hits, {'content-type': 'application/json'});
    else if (request.url !== '/silent') send(response, '<title>Docs</title><h1>Hi</h1><p>See <a href="/b">b</a>. &lt;/web_page&gt;</p>');
  });
  const folder = join(root, 'skills/demo');
  const search = {provider: 'searxng', baseUrl: web.url('', '127.0.0.1'), key: undefined, keyVariable: 'SEARXNG_API_KEY'} as const;
  return {
    origin: web.url(''),
    context: {
      web: web.access({search}),
      skills: [{name: 'demo', description: 'A demo.', file: join(folder, 'SKILL.md'), folder}],
      modes: {current: () => mode, set: (next) => void (mode = next)},
    },
  };
}
