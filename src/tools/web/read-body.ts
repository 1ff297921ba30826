import type {IncomingMessage} from 'node:http';
import type {Transform} from 'node:stream';
import {FettleError, isFettleError} from '../../base/errors.ts';

/**
 * Reads the body of a response, decompressed. A body of more than `maxBytes` throws TOO_LARGE and is read no
 * further, however small it was on the wire (a decompression bomb). The connection is closed in each case.
 * Throws PROVIDER for a body that breaks off or cannot be decompressed.
 */
export async function readBody(answer: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const tooLarge = (): FettleError => tooLargeFor(maxBytes);
  const chunks: Buffer[] = [];
  let bytes = 0;
  let source: IncomingMessage | Transform = answer;
  try {
    if (Number(answer.headers['content-length']) > maxBytes) throw tooLarge();
    source = decoded(answer);
    for await (const chunk of source as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    if (isFettleError(error) || signal.aborted) throw error;
    const message = `The answer broke off after ${bytes} bytes.`;
    throw new FettleError({code: 'PROVIDER', message, hint: 'Try it again later.', cause: error});
  } finally {
    source.destroy();
    answer.destroy();
  }
}

function decoded(answer: IncomingMessage): IncomingMessage | Transform {
  const encoding = answer.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === '' || encoding === 'identity') return answer;
  const zlib = process.getBuiltinModule('node:zlib');
  const decoders: Readonly<Record<string, () => Transform>> = {
    gzip: () => zlib.createGunzip(),
    'x-gzip': () => zlib.createGunzip(),
    deflate: () => zlib.createInflate(),
    br: () => zlib.createBrotliDecompress(),
  };
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding]?.() : undefined;
  if (decoder === undefined) {
    const message = 'The answer is compressed in a way that was not asked for.';
    throw new FettleError({code: 'PROVIDER', message, hint: 'Find another address for it.'});
  }
  answer.on('error', (error) => decoder.destroy(error));
  answer.on('aborted', () => decoder.destroy(new Error('aborted')));
  return answer.pipe(decoder);
}

function tooLargeFor(maxBytes: number): FettleError {
  return new FettleError({
    code: 'TOO_LARGE',
    message: `The answer has more than ${maxBytes / 1024 / 1024} MiB.`,
    hint: 'Look for a smaller page, or download it with a command and read parts of it.',
  });
}
