/** What a person who types does not notice. Milliseconds. */
const SOON_MS = 200;

/** Returns what was found within 0.2 s; nothing where it takes longer or fails. */
export async function soon<T>(found: Promise<readonly T[]>): Promise<readonly T[]> {
  const late = Promise.withResolvers<readonly T[]>();
  const timer = setTimeout(() => late.resolve([]), SOON_MS);
  try {
    return await Promise.race([found.catch(() => []), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
