import type { Context } from '../context.ts'
import { toAppError } from '../errors.ts'

/**
 * The result of one change of a bulk: null on success, otherwise the message for its row. An
 * unexpected error is logged and fails only its own row, so that the results of the others are
 * kept.
 */
export async function toRowError(
  { log, requestId }: Pick<Context, 'log' | 'requestId'>,
  change: Promise<unknown>,
): Promise<string | null> {
  try {
    await change
    return null
  } catch (error) {
    const { code, message } = toAppError(error)
    if (code === 'INTERNAL') log.error({ err: error, requestId }, 'bulk change row failed')
    return message
  }
}
