import { toAppError, toOperatorMessage } from './errors.ts'

/** Mistakes in the environment, one a line. Each starts with the variable. */
export class EnvError extends Error {}

/**
 * Uses the value of a variable for the first time. Any error is then a mistake in that value.
 * @param run its errors may contain a path, a host or a user from the value, but no secrets
 * @throws EnvError with the variable and the message of that error
 */
export async function tryVariable<T>(name: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw new EnvError(`${name}: ${toOperatorMessage(error)}`, { cause: error })
  }
}

/** The same for a folder or file that the shop writes to. A full disk may have room later. */
export const tryPlace = (name: string, run: () => Promise<void>): Promise<void> =>
  tryVariable(name, () =>
    run().catch((error: unknown) => {
      if (toAppError(error).code !== 'STORAGE_FULL') throw error
    }),
  )

/** A port that is in use or privileged is a mistake of PORT; anything else is one of HOST. */
export const toListenError = ({ code = '', message }: NodeJS.ErrnoException): EnvError =>
  new EnvError(`${/EADDRINUSE|EACCES/.test(code) ? 'PORT' : 'HOST'}: ${message}`)
