import type {SessionRecall} from '../../tools/ports/session-recall.ts';

/** Reads the log of a session for the tool that recalls; loaded when something is recalled. */
export function recallFrom(file: string): SessionRecall {
  return {
    async show(from, to) {
      const {recallItems, itemText} = await import('../../sessions/recall-items.ts');
      return (await recallItems(file, {from, to})).map(itemText);
    },
    async search(wanted) {
      const {searchItems} = await import('../../sessions/search-items.ts');
      return await searchItems(file, wanted);
    },
  };
}
