import {describe, expect, it} from 'vitest';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import {createEventBus} from '../../../src/sdk/plugins/event-bus.ts';
import type {ThreadPlugin} from '../../../src/sdk/plugins/thread-plugin.ts';

const turn = (id: string): ThreadEvent => ({type: 'turn.started', thread_id: 'thr_1', turn_id: id});
const idOf = (event: ThreadEvent): string => (event.type === 'turn.started' ? event.turn_id : event.type);

/** A bus whose plugins write down what they hear. */
function rig(...plugins: readonly ((heard: string[]) => ThreadPlugin)[]) {
  const heard: string[] = [];
  const bus = createEventBus();
  bus.connect(
    plugins.map((make) => make(heard)),
    ['hunter2-hunter2'],
  );
  return {bus, heard};
}

const listener =
  (name: string) =>
  (heard: string[]): ThreadPlugin => ({name, onEvent: (event) => void heard.push(`${name} ${idOf(event)}`)});

const preceding =
  (name: string) =>
  (heard: string[]): ThreadPlugin => ({
    name,
    before(event) {
      heard.push(`${name}? ${idOf(event)}`);
      return idOf(event) === 'end' ? [turn(name)] : [];
    },
  });

describe('the event bus', () => {
  it('takes an event through the plugins in the order of the list', () => {
    const {bus, heard} = rig(listener('log'), listener('history'), listener('host'));
    bus.emit(turn('one'));
    bus.emit(turn('two'));
    expect(heard).toEqual(['log one', 'history one', 'host one', 'log two', 'history two', 'host two']);
  });

  it('what precedes an event passes the plugins behind the one that says so, and is heard by all before it', () => {
    const {bus, heard} = rig(preceding('a'), preceding('b'), listener('log'));
    bus.emit(turn('end'));
    expect(heard).toEqual(['a? end', 'b? a', 'log a', 'b? end', 'log b', 'log end']);
  });

  it('an event that a plugin emits while it hears another reaches the plugins behind it first', () => {
    const {bus, heard} = rig(
      listener('log'),
      () => ({name: 'nested', onEvent: (event) => (idOf(event) === 'one' ? bus.emit(turn('two')) : undefined)}),
      listener('host'),
    );
    bus.emit(turn('one'));
    expect(heard).toEqual(['log one', 'log two', 'host two', 'host one']);
  });

  it('secrets reach those alone that hear events as they are', () => {
    const text = 'the key is hunter2-hunter2';
    const seen: string[] = [];
    const {bus} = rig(
      () => ({name: 'history', onEvent: (event) => void seen.push(JSON.stringify(event))}),
      () => ({name: 'host', onRedactedEvent: (event) => void seen.push(JSON.stringify(event))}),
    );
    bus.emit({type: 'error', message: text});
    expect(seen.map((line) => line.includes('hunter2'))).toEqual([true, false]);
  });

  it('what a plugin throws keeps the event from those behind it: a log that cannot be written', () => {
    const {bus, heard} = rig(
      () => ({
        name: 'log',
        onEvent() {
          throw new Error('disk full');
        },
      }),
      listener('host'),
    );
    expect(() => bus.emit(turn('one'))).toThrow('disk full');
    expect(heard).toEqual([]);
  });

  it('before it is connected there is nobody to tell', () => {
    expect(() => createEventBus().emit(turn('one'))).toThrow('turn.started came before the thread was put together.');
  });
});
