import * as z from 'zod/mini';
import {FettleError} from '../../../base/errors.ts';
import {plainOperation} from '../../operation.ts';
import type {ToolContext} from '../../context.ts';
import type {WebAccess} from '../../web/web-access.ts';

const args = z.object({query: z.string(), count: z.number(), timeoutMs: z.number()});

const result = z.object({
  provider: z.string(),
  hits: z.array(z.object({title: z.string(), url: z.string(), snippet: z.string()})),
});

export type SearchWebArgs = z.infer<typeof args>;
export type SearchWebResult = z.infer<typeof result>;

/** Brave: "Maximum of 400 characters"; the smallest bound of the engines. */
const MAX_QUERY_CHARS = 400;

/**
 * Queries the configured web search engine (Mistral Vibe › web_search). Rules name its host. Throws UNAVAILABLE
 * if none is configured; BAD_ARGS, DENIED (a secret in the query), AUTH, PROVIDER, TIMEOUT, TOO_LARGE.
 */
export const searchWeb = plainOperation<SearchWebArgs, SearchWebResult>({
  id: 'net.search',
  permission: 'web_search',
  args,
  result,
  sideEffect: 'network',
  async subjects({query}, ctx) {
    const {service, web} = configured(ctx);
    const [{searchBase}, {hostSubjects}, {requireNoSecret, secretCaution}] = await Promise.all([
      import('../../web/ask-search-service.ts'),
      import('../../web/host-subjects.ts'),
      import('../../web/require-no-secret.ts'),
    ]);
    requireNoSecret(query, web.secrets);
    const base = searchBase(service);
    return [...secretCaution(base.hostname, {text: query, secrets: web.secrets}), ...hostSubjects(base)];
  },
  serialKey: ({query}) => query,
  async run({query, count, timeoutMs}, ctx) {
    const {service, web} = configured(ctx);
    const asked = query.trim();
    if (asked === '' || asked.length > MAX_QUERY_CHARS)
      throw new FettleError({
        code: 'BAD_ARGS',
        message: `The query has ${asked.length} characters, not 1 to ${MAX_QUERY_CHARS}.`,
        hint: 'Give a few words.',
      });
    const {askSearchService} = await import('../../web/ask-search-service.ts');
    const {userAgent} = web;
    const hits = await askSearchService({service, userAgent, query: asked, count, timeoutMs, signal: ctx.signal});
    return {provider: service.provider, hits: [...hits]};
  },
});

function configured({web}: ToolContext): {web: WebAccess; service: NonNullable<WebAccess['search']>} {
  if (web?.search !== undefined) return {web, service: web.search};
  throw new FettleError({
    code: 'UNAVAILABLE',
    message: 'No search engine is configured.',
    hint: 'The user can set web_search.provider to brave, tavily or searxng; web_fetch reads known addresses.',
  });
}
