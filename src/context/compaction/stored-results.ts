import type {Message} from '../../protocol/messages.ts';

/** Reads outputs of tools from the log by their numbers, as they were shown first. */
export type ReadOutputs = (items: ReadonlySet<number>) => Promise<ReadonlyMap<number, string>>;

/** Restores the full results from the log in place of shortened ones, so that the summary is based on what the model saw. */
export async function withStoredResults(messages: readonly Message[], read: ReadOutputs | undefined): Promise<readonly Message[]> {
  const shortened = messages
    .flatMap((message) => (message.role === 'tool' ? message.results : []))
    .filter((result) => result.shortened === true);
  const items = new Set(shortened.flatMap(({item}) => item ?? []));
  if (read === undefined || items.size === 0) return messages;
  const outputs = await read(items);
  return messages.map((message) =>
    message.role !== 'tool'
      ? message
      : {
          ...message,
          results: message.results.map((result) => ({
            ...result,
            text: (result.shortened === true && outputs.get(result.item ?? 0)) || result.text,
          })),
        },
  );
}
