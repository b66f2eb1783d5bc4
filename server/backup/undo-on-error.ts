import { AppError } from '#domain/errors.ts'
import { toAppError, toOperatorMessage } from '../errors.ts'

/**
 * A step that was done. `otherwise` says what stays when the undo has failed, such as a new name.
 */
export type Done = { undo: () => Promise<unknown>; otherwise: () => string }

/**
 * Runs work that changes several places, step by step. When it throws, undoes the steps, the last
 * one first, and throws an AppError. Its message is one line: the reason, and either that
 * everything was rolled back or what was left behind.
 * @param work calls `onDone` after each step, or before one that can stop halfway
 */
export async function undoOnError<T>(work: (onDone: (step: Done) => void) => Promise<T>): Promise<T> {
  const steps: Done[] = []
  try {
    return await work((step) => void steps.push(step))
  } catch (error) {
    const stays: string[] = []
    for (const step of steps.toReversed()) await step.undo().catch(() => stays.push(step.otherwise()))
    const reason = toOperatorMessage(error)
    const outcome =
      stays.length === 0
        ? 'Everything was rolled back.'
        : `Some steps could not be undone: ${stays.join('; ')}.`
    const message = `${reason.replace(/[.!?]?$/, (end) => end || '.').replaceAll('\n', ' ')} ${outcome}`
    throw new AppError(toAppError(error).code, message, { cause: error })
  }
}
