import { toCallFailure } from '../../../http/trpc.ts'

/** Every sale changes the version of a variant's row, so one retry may not be enough. */
const maxAttempts = 5

/**
 * Saves a row at `startVersion`. When the stored row has a newer version but nothing that this edit
 * concerns was changed (a sale changed the stock, say), saves again on the newer version. Throws
 * the last failure.
 * @param isConflict whether another admin's edit of the current row concerns this edit
 */
export async function saveWithRetry<Row extends { version: number }>(
  startVersion: number,
  save: (version: number) => Promise<Row>,
  isConflict: (current: Row) => boolean,
): Promise<Row> {
  let version = startVersion
  for (let attempt = 1; ; attempt++) {
    try {
      return await save(version)
    } catch (error) {
      const { current } = toCallFailure<Row>(error)
      if (current === null || isConflict(current) || attempt === maxAttempts) throw error
      version = current.version
    }
  }
}
