import { countFiles } from '#db/files/files.ts'
import { AppError } from '#domain/errors.ts'
import { maxBytesPerUser, maxFilesPerUser, tooManyFilesMessage } from '#domain/files/files.ts'
import type { Context } from '../context.ts'

/**
 * Checks that a user may have one more file of this size. Only the check in the transaction that
 * inserts the file, under the user's lock, is exact. Throws TOO_LARGE.
 */
export async function checkFileQuota(ctx: Context, userId: string, addedBytes: number): Promise<void> {
  const { count, bytes } = await countFiles(ctx.db, userId)
  if (count + 1 > maxFilesPerUser || bytes + addedBytes > maxBytesPerUser) {
    throw new AppError('TOO_LARGE', tooManyFilesMessage)
  }
}
