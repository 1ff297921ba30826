import type {PickerItem} from '../host-adapter.ts';

/** The items that contain all words of the query, those that begin with it first. */
export function matchingItems(items: readonly PickerItem[], query: string): readonly PickerItem[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return items;
  const fits = items.filter(({label, detail}) => {
    const text = `${label} ${detail ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const begins = (item: PickerItem): number => (item.label.toLowerCase().startsWith(words[0] ?? '') ? 0 : 1);
  return fits.toSorted((a, b) => begins(a) - begins(b));
}
