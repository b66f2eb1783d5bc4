import { AppError } from '#domain/errors.ts'
import type { Context } from '#server/context.ts'
import { getText } from './form-action.server.ts'

/** Whether a form's `userId` is the signed-in account, or the form has none. */
export const isShownUser = ({ user }: Pick<Context, 'user'>, shownId: string | null | undefined): boolean =>
  !user || !shownId || shownId === user.id

/**
 * Throws CONFLICT when a form's `userId` is another account's: since the page was loaded, someone
 * else signed in in another tab.
 */
export function requireShownUser(ctx: Pick<Context, 'user'>, form: FormData): void {
  if (isShownUser(ctx, getText(form, 'userId'))) return
  throw new AppError('CONFLICT', otherAccountMessage)
}

const otherAccountMessage =
  'You’re now signed in to a different account, so we didn’t save this. Reload the page to see your own.'
