import type {ServerResponse} from 'node:http';
import {setImmediate as nextTick} from 'node:timers/promises';
import type {ScriptedReply} from './scenario.ts';

interface DeliveryOptions {
  readonly answer: Pick<ScriptedReply, 'halfStream' | 'stallAfter' | 'chunkBytes'>;
  /** Settles when stalled streams may go on. */
  readonly released: Promise<void>;
}

/** Writes the events of a stream with the faults of the scenario. Ends early if the client disconnects. */
export async function deliver(response: ServerResponse, events: readonly string[], {answer, released}: DeliveryOptions): Promise<void> {
  const gone = new Promise<void>((resolve) => response.once('close', resolve));
  const stall = answer.stallAfter ?? events.length;
  await writePieces(response, events.slice(0, stall).join(''), answer);
  if (answer.stallAfter !== undefined) await Promise.race([released, gone]);
  await writePieces(response, events.slice(stall).join(''), answer);
  if (answer.halfStream === true) response.destroy();
  else response.end();
}

async function writePieces(response: ServerResponse, text: string, {halfStream, chunkBytes}: DeliveryOptions['answer']): Promise<void> {
  const whole = Buffer.from(text);
  const bytes = halfStream === true ? whole.subarray(0, Math.ceil(whole.length / 2)) : whole;
  const size = Math.max(chunkBytes ?? bytes.length, 1);
  for (let start = 0; start < bytes.length && !response.destroyed; start += size) {
    await new Promise<void>((resolve) => response.write(bytes.subarray(start, start + size), () => resolve()));
    if (chunkBytes !== undefined) await nextTick();
  }
}
