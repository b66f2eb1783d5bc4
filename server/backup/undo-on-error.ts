/** A step that was done. `otherwise` says what stays when the undo fails, such as a new name. */
export type Done = { undo: () => Promise<unknown>; otherwise: string }

/**
 * Runs work that changes several places, step by step. When it throws, undoes the steps, the last
 * one first, and throws the same error. When an undo fails too, goes on, and the error says what
 * stays.
 * @param work calls `onDone` after each step, or before one that can stop halfway
 */
export async function undoOnError<T>(work: (onDone: (step: Done) => void) => Promise<T>): Promise<T> {
  const steps: Done[] = []
  try {
    return await work((step) => void steps.push(step))
  } catch (error) {
    const stays: string[] = []
    for (const { undo, otherwise } of steps.toReversed()) await undo().catch(() => stays.push(otherwise))
    if (stays.length === 0) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${reason}\nNot all of it could be undone: ${stays.join('; ')}.`, { cause: error })
  }
}
