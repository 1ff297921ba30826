/** A time for a person, in whole seconds: `12 s`, `2 min 5 s`. */
export function elapsed(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
