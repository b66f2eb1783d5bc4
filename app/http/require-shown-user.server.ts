import { AppError } from '#domain/errors.ts'
import type { Context } from '#server/context.ts'
import { getText } from './form-action.server.ts'

/**
 * Throws CONFLICT when a form's `userId` is another account's: since the page was loaded, someone
 * else signed in in another tab.
 */
export function requireShownUser({ user }: Pick<Context, 'user'>, form: FormData): void {
  const shownId = getText(form, 'userId')
  if (!user || !shownId || shownId === user.id) return
  throw new AppError('CONFLICT', otherAccountMessage)
}

const otherAccountMessage =
  'You’re now signed in to a different account, so we didn’t save this. Reload the page to see your own.'
