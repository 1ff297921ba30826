import type {Dispatcher, DispatcherOptions} from './dispatch.ts';

/** A dispatcher that is loaded by its first call: the first request of a thread does not wait for it. */
export function lateDispatcher(options: DispatcherOptions): Dispatcher {
  let opening: Promise<Dispatcher> | undefined;
  const opened = (): Promise<Dispatcher> => (opening ??= import('./dispatcher.ts').then(({createDispatcher}) => createDispatcher(options)));
  return {
    dispatch: async (call, signal) => await (await opened()).dispatch(call, signal),
    dispatchAll: async (calls, signal) => (calls.length === 0 ? [] : await (await opened()).dispatchAll(calls, signal)),
  };
}
