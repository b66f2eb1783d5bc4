import type { Context } from '../context.ts'
import { toAppError } from '../errors.ts'

/**
 * Ends one change of many: null when it is done, else why it is not, in words. A failure that is nobody's fault goes into the log and is told
 * of its own row, so that what was done of the others is not lost with it.
 */
export async function tellFailure(
  { log, requestId }: Pick<Context, 'log' | 'requestId'>,
  change: Promise<unknown>,
): Promise<string | null> {
  try {
    await change
    return null
  } catch (error) {
    const { code, message } = toAppError(error)
    if (code === 'INTERNAL') log.error({ err: error, requestId }, 'one change of many failed')
    return message
  }
}
