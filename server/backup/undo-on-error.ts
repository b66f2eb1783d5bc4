import { AppError } from '#domain/errors.ts'
import { toAppError } from '../errors.ts'

/** A step that was done. `otherwise` says what stays when the undo fails, such as a new name. */
export type Done = { undo: () => Promise<unknown>; otherwise: string }

/**
 * Runs work that changes several places, step by step. When it throws, undoes the steps, the last
 * one first, and throws an AppError. Its message is one line: what failed, and whether everything
 * was undone or what stays.
 * @param work calls `onDone` after each step, or before one that can stop halfway
 */
export async function undoOnError<T>(work: (onDone: (step: Done) => void) => Promise<T>): Promise<T> {
  const steps: Done[] = []
  try {
    return await work((step) => void steps.push(step))
  } catch (error) {
    const stays: string[] = []
    for (const { undo, otherwise } of steps.toReversed()) await undo().catch(() => stays.push(otherwise))
    const reason = error instanceof Error ? error.message : String(error)
    const outcome =
      stays.length === 0
        ? 'What was there before is there again.'
        : `Not all of it could be undone: ${stays.join('; ')}.`
    const message = `${reason.replace(/\.?$/, '.').replaceAll('\n', ' ')} ${outcome}`
    throw new AppError(toAppError(error).code, message, { cause: error })
  }
}
