import type {ListFolderResult} from '../operations/fs/list-folder.ts';

/** One entry a line: its path, or with `detailed` also size and time; a tree shows names under their folders. */
export function listingLines({entries}: ListFolderResult, form: 'concise' | 'detailed' | 'tree'): string {
  const lines = entries.map(({path, level, kind, size, modified}) => {
    const end = kind === 'directory' ? '/' : kind === 'link' ? '@' : '';
    if (form === 'tree') return `${'  '.repeat(level)}${path.split('/').at(-1)}${end}`;
    return form === 'concise' ? path + end : `${size ?? '?'}\t${modified ?? '?'}\t${path}${end}`;
  });
  return lines.join('\n') || '(no entries)';
}
