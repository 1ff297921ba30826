import type {ModelEvent, Provider} from './provider.ts';

/** Adapts a provider of an embedder to the loop: an exception, or a stream that just ends, becomes an error as its last event. */
export function guardProvider(provider: Provider): Provider {
  return {
    model: provider.model,
    compactsFrom: provider.compactsFrom,
    async *stream(request, signal): AsyncGenerator<ModelEvent, void, undefined> {
      try {
        for await (const event of provider.stream(request, signal)) {
          yield event;
          if (event.type === 'done' || event.type === 'error') return;
        }
        yield failed(signal, 'The provider ended its stream without a reply.');
      } catch (error) {
        yield failed(signal, `The provider threw: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
  };
}

function failed({aborted}: AbortSignal, message: string): ModelEvent {
  return {type: 'error', failure: {code: aborted ? 'CANCELLED' : 'PROVIDER', message, retries: 0}};
}
