import { AppError } from '#domain/errors.ts'

/**
 * An upload's body. Any error that is not ours means that the connection broke or the form around
 * the file is malformed, and becomes BAD_REQUEST.
 */
export async function* withUploadErrors(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('BAD_REQUEST', 'The upload was interrupted. Try again.', { cause: error })
  }
}
