import { displayName, type SessionUser } from '#domain/accounts/accounts.ts'
import { isStaff } from '#domain/accounts/permissions.ts'
import { emptyCart } from '#domain/cart/cart.ts'
import { getCart } from '#server/cart/get-cart.ts'
import type { Context } from '#server/context.ts'
import { listCartStates } from '#server/dispensing/list-cart-states.ts'
import type { Env } from '#server/env.ts'
import type { MenuUser } from '../components/AccountMenu.tsx'
import type { Frame } from '../components/frame.ts'
import { readCartToken, readFlash, readTheme } from './cookies.server.ts'

/**
 * The signed-in user, as the header shows them. Every page contains this, so it has nothing else.
 */
const menuUser = (user: SessionUser): MenuUser => ({
  name: displayName(user),
  email: user.email,
  initial: ([...(user.firstName || user.email)][0] ?? '').toUpperCase(),
  isStaff: isStaff(user),
})

/** What the frame keeps when the cart cannot be loaded. */
export const readPerson = (request: Request, ctx: Pick<Context, 'user'>): Pick<Frame, 'user' | 'theme'> => ({
  user: ctx.user && menuUser(ctx.user),
  theme: readTheme(request),
})

/** @param path of the page that is requested */
export async function loadFrame(
  request: Request,
  path: string,
  { ctx, env }: { ctx: Context; env: Env },
): Promise<Frame> {
  const flash = await readFlash(request, env, path)
  const { cart, removedNames } = await getCart(ctx, await readCartToken(request, env), listCartStates)
  return { cart, removedNames, flash, ...readPerson(request, ctx) }
}

/** The frame of a visitor without cookies. */
export const visitorFrame: Frame = {
  cart: emptyCart,
  removedNames: [],
  flash: null,
  user: null,
  theme: 'light',
}
