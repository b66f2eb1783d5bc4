type Read<Row> = (page: { after: string; limit: number }) => Promise<Row[]>
type Paging<Key> = { key: Key; limit: number }

/**
 * The pages of all rows, in the order of their key. No page is empty.
 * @param read the next rows after a key, at most `limit` of them; `''` starts at the first
 */
export async function* eachPage<Key extends string, Row extends Record<Key, string>>(
  read: Read<Row>,
  { key, limit }: Paging<Key>,
): AsyncGenerator<Row[]> {
  for (let after = ''; ;) {
    const rows = await read({ after, limit })
    const last = rows.at(-1)
    if (!last) return
    yield rows
    if (rows.length < limit) return
    after = last[key]
  }
}

/** The rows of `eachPage`, with one page in memory. */
export async function* eachRow<Key extends string, Row extends Record<Key, string>>(
  read: Read<Row>,
  paging: Paging<Key>,
): AsyncGenerator<Row> {
  for await (const page of eachPage(read, paging)) yield* page
}
