import type {ReviewComment} from './user-questions.ts';

/** A comment with the lines that it belongs to, as they were shown. */
export interface QuotedComment {
  /** `3` or `3-5`; absent: it is about the whole text. */
  readonly lines?: string | undefined;
  readonly quote: readonly string[];
  readonly comment: string;
}

/** Adds the commented lines to each comment, in the order of the lines. Comments on the whole text come first, empty ones are left out. */
export function quoteComments(text: string, comments: readonly ReviewComment[]): QuotedComment[] {
  const all = text.split(/\r?\n/);
  return comments
    .map(({lines, comment}) => ({lines, comment: comment.trim()}))
    .filter(({comment}) => comment !== '')
    .toSorted((a, b) => (a.lines?.[0] ?? 0) - (b.lines?.[0] ?? 0))
    .map(({lines, comment}) => {
      if (lines === undefined) return {quote: [], comment};
      const [first, last] = lines;
      return {lines: first === last ? `${first}` : `${first}-${last}`, quote: all.slice(first - 1, last), comment};
    });
}

/** Formats comments for a model: each below its lines, of which only the first are quoted. */
export function commentsText(comments: readonly QuotedComment[]): string {
  return comments
    .map(({lines, quote, comment}) => {
      const head = lines === undefined ? 'On the whole plan:' : `On line${lines.includes('-') ? 's' : ''} ${lines}:`;
      const more = quote.length > MOST_QUOTED ? [`> … ${quote.length - MOST_QUOTED} more lines`] : [];
      return [head, ...quote.slice(0, MOST_QUOTED).map((line) => `> ${line}`), ...more, comment].join('\n');
    })
    .join('\n\n');
}

const MOST_QUOTED = 5;
