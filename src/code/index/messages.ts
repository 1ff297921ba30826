import type {IndexProgress} from '../code-graph.ts';
import type {ErrorCode} from '../../base/errors.ts';
import type {WrittenName} from '../extract/names-in-text.ts';
import type {FileFacts} from '../file-facts.ts';
import type {Position, Range} from '../symbol.ts';
import type {UpTo} from './update-index.ts';

/** What the owner of an index asks of the process that keeps it. */
export type Question =
  | {readonly is: 'open'; readonly root: string; readonly database: string; readonly rebuild: boolean}
  | {readonly is: 'fresh'; readonly id: number; readonly upTo?: UpTo | undefined}
  | {readonly is: 'facts'; readonly id: number; readonly language: string; readonly text: string}
  | {readonly is: 'names'; readonly id: number; readonly language: string; readonly text: string; readonly name: string}
  | {readonly is: 'overlay'; readonly path: string; readonly text: string | undefined}
  | {
      readonly is: 'places';
      readonly id: number;
      readonly language: string;
      readonly text: string;
      readonly at: Position;
      readonly every: boolean;
    };

/** What that process says. */
export type Answer =
  | {readonly is: 'progress'; readonly id: number; readonly progress: IndexProgress}
  | {readonly is: 'done'; readonly id: number; readonly said?: Said | undefined}
  | {readonly is: 'failed'; readonly id: number; readonly code: ErrorCode; readonly message: string; readonly hint?: string | undefined};

/** The facts of a text, where the local name at a place is declared (`every`: all its places), or where a name is written besides. */
export interface Said {
  readonly facts?: FileFacts;
  readonly places?: readonly Range[];
  readonly names?: readonly WrittenName[];
}
