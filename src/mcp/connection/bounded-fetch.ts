/** Most bytes of one response, streams included. */
const MAX_BYTES = 32 * 1024 * 1024;

/** `fetch` whose responses end with an error if they are larger than any client needs. */
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
  // The origin of the response decides which redirects may follow.
  Object.defineProperty(bounded, 'url', {value: response.url});
  return bounded;
}
