/**
 * Every row that `read` pages through, in the order of its key, with one page in memory.
 * @param read the next rows after a key, at most `limit` of them; `''` starts at the first
 */
export async function* eachRow<Key extends string, Row extends Record<Key, string>>(
  read: (page: { after: string; limit: number }) => Promise<Row[]>,
  { key, limit }: { key: Key; limit: number },
): AsyncGenerator<Row> {
  for (let after = ''; ;) {
    const rows = await read({ after, limit })
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < limit) return
    after = last[key]
  }
}
