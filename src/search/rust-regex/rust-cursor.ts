/** An error in a pattern, in ripgrep's words. */
export class PatternProblem extends Error {
  override readonly name = 'PatternProblem';
}

/** The flags of Rust regex that are in force at a place of the pattern. */
export interface RustFlags {
  readonly ignoreCase: boolean;
  readonly verbose: boolean;
  readonly unicode: boolean;
  readonly crlf: boolean;
  /** `.` matches line ends, too. */
  readonly dotAll: boolean;
}

/** The place in a pattern, by code points. */
export class RustCursor {
  at = 0;
  private readonly chars: readonly string[];

  constructor(pattern: string) {
    this.chars = Array.from(pattern);
  }

  peek(ahead = 0): string | undefined {
    return this.chars[this.at + ahead];
  }

  /** Consumes the text if it comes next. */
  eat(text: string): boolean {
    for (let i = 0; i < text.length; i++) if (this.peek(i) !== text[i]) return false;
    this.at += text.length;
    return true;
  }

  take(): string {
    const char = this.chars[this.at];
    if (char === undefined) throw new PatternProblem('incomplete escape sequence, reached end of pattern prematurely');
    this.at++;
    return char;
  }

  /** Everything up to the mark, which is skipped. */
  takeUntil(mark: string, problem: string): string {
    const end = this.chars.indexOf(mark, this.at);
    if (end < 0) throw new PatternProblem(problem);
    const text = this.chars.slice(this.at, end).join('');
    this.at = end + 1;
    return text;
  }

  /** In verbose mode passes over blanks and comments. */
  skipBlanks({verbose}: RustFlags): void {
    if (!verbose) return;
    for (;;) {
      if (/^\p{White_Space}$/u.test(this.peek() ?? '')) this.at++;
      else if (this.peek() === '#') this.skipLine();
      else return;
    }
  }

  private skipLine(): void {
    const end = this.chars.indexOf('\n', this.at);
    this.at = end < 0 ? this.chars.length : end + 1;
  }
}
