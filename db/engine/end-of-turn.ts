/** Resolves when all callbacks of this turn of the event loop have run. */
export const endOfTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
