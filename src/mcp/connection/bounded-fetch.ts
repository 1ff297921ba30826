/** Most bytes of one response, streams included. */
const MAX_BYTES = 32 * 1024 * 1024;

/** `fetch` whose responses end with an error where they become larger than a client can want. */
export async function boundedFetch(input: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  if (response.body === null) return response;
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > MAX_BYTES) controller.error(new Error(`The server sent more than ${MAX_BYTES} bytes in one response.`));
        else controller.enqueue(chunk);
      },
    }),
  );
  const {status, statusText, headers} = response;
  const bounded = new Response(counted, {status, statusText, headers});
  // Where the response came from decides what a redirect may do next.
  Object.defineProperty(bounded, 'url', {value: response.url});
  return bounded;
}
