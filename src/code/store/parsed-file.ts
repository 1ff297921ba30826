import {hash} from 'node:crypto';
import type {FileFacts} from '../file-facts.ts';
import {quietSymbols} from '../quiet-name.ts';
import {SYMBOL_KINDS} from '../symbol.ts';
import {isHeritage, packLinks} from './pack-links.ts';
import {packDetails, packTable} from './pack-symbols.ts';
import {packUses} from './pack-uses.ts';
import {symbolRanks} from './symbol-ranks.ts';

/** What is known of a file without parsing it. */
export interface FileStamp {
  readonly path: string;
  readonly language: string;
  /** Of its content. */
  readonly hash: string;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly mtime: number;
}

/** The facts of a file as they are stored; made by the thread that parses, so that the one that writes has little to do. */
export interface ParsedFile extends FileStamp {
  readonly broken: boolean;
  /** Of what others see of the file: where it stays, nobody else has to be looked at again. */
  readonly interface: string;
  readonly symbols: number;
  readonly relations: number;
  /** The distinct names, and for each symbol the index of its name (`NAMELESS` where none finds it), its kind and its rank among those of the same name. */
  readonly names: readonly string[];
  readonly nameAt: Uint32Array;
  readonly kinds: Uint8Array;
  readonly ranks: Uint32Array;
  readonly core: Uint8Array;
  readonly links: Uint8Array;
  readonly detail: Uint8Array;
  readonly uses: Uint8Array;
}

/** Instead of the index of a name. */
export const NAMELESS = 2 ** 32 - 1;

export function packFile(stamp: FileStamp, facts: FileFacts): ParsedFile {
  const {symbols} = facts;
  const names = new Map<string, number>();
  const quiet = quietSymbols({names: symbols.map(({name}) => name), parents: symbols.map(({parent}) => parent)});
  const nameAt = Uint32Array.from(symbols, ({name}, at) => {
    if (quiet[at] === 1) return NAMELESS;
    const index = names.get(name) ?? names.size;
    names.set(name, index);
    return index;
  });
  const [core, links] = [packTable(symbols), packLinks(facts)];
  return {
    ...stamp,
    broken: facts.broken,
    interface: hash('sha1', Buffer.concat([core, Buffer.from(linksText(facts))]), 'hex').slice(0, 20),
    symbols: symbols.length,
    relations: facts.uses.length + facts.imports.length + facts.exports.length + symbols.filter(({parent}) => parent >= 0).length,
    names: [...names.keys()],
    nameAt,
    kinds: Uint8Array.from(symbols, ({kind}) => SYMBOL_KINDS.indexOf(kind)),
    ranks: symbolRanks(
      stamp.path,
      symbols.map(({parent}) => parent),
      (at) => symbols[at]?.exported === true,
    ),
    core,
    links,
    detail: packDetails(symbols),
    uses: packUses(facts.uses),
  };
}

/** Without places: a line more above changes nothing for others. */
function linksText({imports, exports, uses}: FileFacts): string {
  return [
    ...imports.map(({local, original, module}) => `${local ?? ''} ${original} ${module}`),
    ...exports.map(({name, original, module}) => `${name} ${original} ${module ?? ''}`),
    ...uses.filter(isHeritage).map(({within, receiver, name}) => `${within} ${receiver ?? ''} ${name}`),
  ].join('\n');
}
