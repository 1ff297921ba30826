import type {ThreadItem} from '../protocol/items.ts';
import {type LogPlace, readLog} from './log-reader.ts';

/** The finished items of a log that grows, by their numbers from 1. Nothing is read twice but the neighbours of what is asked for. */
export interface LogItems {
  /** Calls `visit` for those that were finished since the last time. */
  visitNew(visit: (item: ThreadItem, number: number) => void): Promise<void>;
  /** Outputs of tools by their numbers, as they were shown first. */
  outputs(numbers: ReadonlySet<number>): Promise<ReadonlyMap<number, string>>;
}

export function createLogItems(file: string): LogItems {
  /** The beginnings of the pieces that were read, and how many items are before each. */
  const marks: Mark[] = [START];
  return {
    async visitNew(visit) {
      const last = marks.at(-1) ?? START;
      await visitItems(file, {from: last, onPiece: (mark) => void marks.push(mark)}, visit);
    },
    async outputs(numbers) {
      const found = new Map<number, string>();
      const first = Math.min(...numbers);
      const from = marks.findLast(({items}) => items < first) ?? START;
      if (numbers.size === 0) return found;
      await visitItems(file, {from, onPiece: () => undefined}, (item, number) => {
        if (numbers.has(number) && item.type === 'tool_output') found.set(number, item.output);
      });
      return found;
    },
  };
}

interface Mark extends LogPlace {
  readonly items: number;
}

const START: Mark = {offset: 0, lines: 0, items: 0};

interface Reading {
  readonly from: Mark;
  readonly onPiece: (next: Mark) => void;
}

async function visitItems(file: string, {from, onPiece}: Reading, visit: (item: ThreadItem, number: number) => void): Promise<void> {
  let {items} = from;
  await readLog(
    file,
    ({event}) => {
      if (event.type !== 'item.completed') return;
      items += 1;
      visit(event.item, items);
    },
    {...from, onPiece: (next) => onPiece({...next, items})},
  );
}
