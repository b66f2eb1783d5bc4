import { toCallFailure } from '../../../http/trpc.ts'

/** Every sale changes the version of a variant's row, so one retry may not be enough. */
const maxAttempts = 5

/**
 * Saves a row. When the stored row has a newer version but nothing that this edit concerns was
 * changed (a sale changed the stock, say), saves again on the newer version: with the same input,
 * because the link of the calls notes in it what the admin has confirmed. Throws the last failure.
 * @param isConflict whether another admin's edit of the current row concerns this edit
 */
export async function saveWithRetry<Row extends { version: number }, Input extends { version: number }>(
  input: Input,
  save: (input: Input) => Promise<Row>,
  isConflict: (current: Row) => boolean,
): Promise<Row> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await save(input)
    } catch (error) {
      const { current } = toCallFailure<Row>(error)
      if (current === null || isConflict(current) || attempt === maxAttempts) throw error
      input.version = current.version
    }
  }
}
