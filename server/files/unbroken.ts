import { AppError } from '#domain/errors.ts'

/**
 * An upload's body, of which what it throws itself is the sender's doing: the connection broke, or the form around the file is torn. Throws
 * BAD_REQUEST then.
 */
export async function* unbroken(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('BAD_REQUEST', 'The upload was broken off.', { cause: error })
  }
}
