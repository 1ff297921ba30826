/**
 * Remembers the encoded form of each message, for as long as the message lives: a long history is encoded once, and each request adds only
 * what is new. Messages never change, so the bytes of the earlier ones stay the same, as the prompt caches of providers want it.
 */
export function memoizeEncoding<Source extends object, Target>(encode: (source: Source) => Target): (source: Source) => Target {
  const known = new WeakMap<Source, Target>();
  return (source) => {
    const found = known.get(source);
    if (found !== undefined) return found;
    const made = encode(source);
    known.set(source, made);
    return made;
  };
}
