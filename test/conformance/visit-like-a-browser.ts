/** What a browser does at a login that nobody has to answer: follows the redirects, up to the page that the client listens for. */
export async function visitLikeABrowser(address: URL): Promise<void> {
  let at: string | undefined = address.href;
  while (at !== undefined) {
    const response: Response = await fetch(at, {redirect: 'manual'});
    await response.body?.cancel();
    const target: string | null = response.headers.get('location');
    at = target === null ? undefined : new URL(target, at).href;
  }
}
