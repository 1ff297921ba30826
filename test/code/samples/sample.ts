/** Ships parcels between depots. */
import fallback, {type Parcel, rate as price} from './rates.ts';
import * as money from '../shared/money.ts';
import legacy = require('legacy');
export {price as cost, Depot};
export * from './more.ts';
export * as extra from './extra.ts';
export {open as unlock} from './open.ts';

/** How much fits. */
export const LIMIT = 40;
let count = 0;
const {first, second: renamed, ...others} = money.table();

export enum Color {
  Red,
  Blue = 'b',
}

/** A place on a route. */
export interface Stop {
  readonly name: string;
  weight?: number;
  'quoted-key': Color;
  visit(by: Parcel): Promise<Stop>;
  [index: number]: Stop;
}

export interface Stop {
  merged: boolean;
}

export type Route<T extends Stop = Stop> = {
  stops: T[];
  total(): number;
} & Partial<Stop>;

abstract class Base<T> {
  protected abstract open(): T;
}

@sealed()
export class Depot extends Base<Stop> implements money.Rated, Iterable<Stop> {
  static #count = 0;
  private readonly stops: Stop[] = [];
  handler = (stop: Stop): void => this.add(stop);

  constructor(
    private readonly color: Color,
    public name = 'depot',
  ) {
    super();
    Depot.#count += 1;
  }

  get size(): number {
    return this.stops.length;
  }

  set size(value: number) {
    count = value;
  }

  add(stop: Stop, ...more: Stop[]): this {
    this.stops.push(stop, ...more);
    for (const one of more) one.visit(fallback);
    more.map((each) => each.weight);
    return this;
  }

  protected open(): Stop {
    const made = new Depot(Color.Red);
    const {name, ...rest} = made;
    made.add(this.stops[0]!).add(rest as never);
    return this.stops.find((stop) => stop.name === name) ?? create('x');
  }

  *[Symbol.iterator](): Iterator<Stop> {
    yield* this.stops;
  }
}

export function create(name: string): Stop;
export function create(name: string, weight: number): Stop;
export function create(name: string, weight = 0): Stop {
  type Local = {inner: string};
  const local: Local = {inner: name};
  function nested(value: string): string {
    return value + local.inner;
  }
  if (weight > LIMIT) {
    const name = nested('shadow');
    return {name} as Stop;
  }
  return {name, weight} as Stop;
}

export const config = {
  depth: 1,
  nested: {deep: 'er', run() {}},
  create,
  make: async (name: string) => new Depot(Color.Blue, name),
} as const;

export namespace Tools {
  export const version = 1;
  export function check(route: Route): asserts route is Route<Stop> {
    route.stops.forEach((stop, index) => stop.visit(index as never));
  }
}

declare module 'legacy' {
  export function old(): void;
}

declare global {
  interface Window {
    depot: Depot;
  }
}

async function main(): Promise<void> {
  const depot = await config.make('a');
  depot.add(create('b')).size = 3;
  const {run} = config.nested;
  label: for (let index = 0; index < 2; index++) {
    try {
      run();
      break label;
    } catch (error) {
      legacy.old(error, renamed, others, first);
    }
  }
  const loaded = await import('./lazy.ts');
  loaded.start();
}

export default main;
