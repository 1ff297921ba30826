import {FettleError} from '../../base/errors.ts';
import {withEitherLineEnd} from '../line-end-patterns.ts';
import {PatternProblem} from './rust-cursor.ts';
import {RustReader, type TranslatedPattern, type TranslateOptions} from './rust-reader.ts';

/**
 * Translates Rust regex syntax (docs.rs/regex, "Syntax"): verbose mode, Unicode and CRLF flags, escapes by code point, nested classes and
 * their operations. `\b` knows the word characters of ASCII only. Look-around and back-references are refused with BAD_ARGS, as by ripgrep.
 */
export function translateRustRegex(pattern: string, options: TranslateOptions): TranslatedPattern {
  const reader = new RustReader(options.multiline ? withEitherLineEnd(pattern) : pattern, options);
  try {
    return reader.translate();
  } catch (error) {
    if (!(error instanceof PatternProblem)) throw error;
    throw new FettleError({
      code: 'BAD_ARGS',
      message: `regex parse error: ${JSON.stringify(pattern)} at ${reader.position}: ${error.message}`,
      hint: 'Patterns are in Rust regex syntax: no look-around, no back-references; escape ( ) [ ] { } . * + ? | ^ $ to search for them as text.',
      cause: error,
    });
  }
}
