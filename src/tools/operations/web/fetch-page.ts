import * as z from 'zod/mini';
import {FettleError} from '../../../base/errors.ts';
import {plainOperation} from '../../operation.ts';

const args = z.object({
  url: z.string(),
  timeoutMs: z.number(),
  /** Most bytes of text, after HTML has become Markdown. */
  maxBytes: z.number(),
});

const result = z.object({
  /** The address after all redirects. */
  url: z.string(),
  title: z.string(),
  text: z.string(),
  truncated: z.boolean(),
});

export type FetchPageArgs = z.infer<typeof args>;
export type FetchPageResult = z.infer<typeof result>;

/**
 * Fetches a page as text; HTML becomes Markdown (Mistral Vibe › web_fetch). Rules name its host (`web_fetch:docs.example.com`), and
 * `host:port` where it is not https on port 443. Addresses of this machine and of private networks are DENIED unless a setting names the
 * host. Further: BAD_ARGS, NOT_FOUND, NOT_TEXT, PROVIDER, TIMEOUT, TOO_LARGE.
 */
export const fetchPage = plainOperation<FetchPageArgs, FetchPageResult>({
  id: 'net.fetch',
  permission: 'web_fetch',
  args,
  result,
  sideEffect: 'network',
  subjects: async ({url}, {web}) => (await import('../../web/page-subjects.ts')).pageSubjects(url, web),
  serialKey: ({url}) => url,
  async run({url, timeoutMs, maxBytes}, ctx) {
    if (ctx.web === undefined) throw new FettleError({code: 'UNAVAILABLE', message: 'Web access is disabled.'});
    const [{followAddress}, {pageText}, {webAddress}] = await Promise.all([
      import('../../web/follow-address.ts'),
      import('../../web/page-text.ts'),
      import('../../web/web-address.ts'),
    ]);
    const {signal, web, permit = refuse} = ctx;
    const page = await followAddress(webAddress(url), {web, timeoutMs, signal, permit});
    return {url: page.url.href, ...(await pageText({...page, signal}, maxBytes))};
  },
});

/** Without a dispatcher, nobody can approve other addresses than the requested one. */
async function refuse(): Promise<void> {
  throw new FettleError({code: 'DENIED', message: 'It redirects to another host.'});
}
