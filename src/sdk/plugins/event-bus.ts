import {createRedactor} from '../../base/redact.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import {createEventRedactor} from '../sessions/redacted-events.ts';
import type {ThreadPlugin} from './thread-plugin.ts';

/** Carries every event from its emitter to the plugins. It is created before either of them. */
export interface EventBus {
  /** Throws if no plugins are connected yet, and rethrows errors of plugins: a log that cannot be written fails the turn. */
  emit(event: ThreadEvent): void;
  /**
   * Connects the plugins, once: from now on they receive events in this order. `secrets` takes its place among the
   * plugins that receive events unredacted.
   */
  connect(plugins: readonly ThreadPlugin[], secrets: readonly string[] | undefined): void;
}

export function createEventBus(): EventBus {
  let deliver: EventBus['emit'] = notYet;
  return {
    emit: (event) => deliver(event),
    connect(plugins, secrets) {
      const redacted = createEventRedactor(createRedactor({secrets, shapes: true}));
      const preceding = plugins.filter((plugin) => plugin.before !== undefined);
      const hearing = plugins.filter((plugin) => plugin.onEvent !== undefined || plugin.onRedactedEvent !== undefined);
      deliver = (event) => pass(event, {preceding, hearing, redacted, from: 0});
    },
  };
}

/** Most plugins take part elsewhere: an event passes those alone that have a word on events. */
interface Passing {
  readonly preceding: readonly ThreadPlugin[];
  readonly hearing: readonly ThreadPlugin[];
  readonly redacted: (event: ThreadEvent) => readonly ThreadEvent[];
  /** The preceding ones before this place have already added the events that precede it. */
  readonly from: number;
}

function pass(event: ThreadEvent, passing: Passing): void {
  const {preceding, hearing, redacted, from} = passing;
  for (let place = from; place < preceding.length; place += 1) {
    for (const earlier of preceding[place]?.before?.(event) ?? []) pass(earlier, {...passing, from: place + 1});
  }
  const clean = redacted(event);
  for (const plugin of hearing) {
    plugin.onEvent?.(event);
    if (plugin.onRedactedEvent !== undefined) for (const one of clean) plugin.onRedactedEvent(one);
  }
}

function notYet(event: ThreadEvent): never {
  throw new Error(`${event.type} came before the thread was put together.`);
}
