import { importCart, addToCart, removeFromCart, setCartQuantity } from '#server/cart/update-cart.ts'
import type { Context } from '#server/context.ts'
import { maxLines } from '#domain/cart/cart.ts'
import { paths } from '#domain/paths.ts'
import { data, redirect, type RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { cartCookieHeader, flashHeader, readCartToken, type Flash } from './cookies.server.ts'
import { formAction, readForm, getText } from './form-action.server.ts'
import type { FormFailure } from './form-failure.ts'
import { requestContext } from './request-context.server.ts'

const wholeNumber = z
  .string({ error: 'Quantity is required.' })
  .trim()
  .regex(/^-?\d{1,12}$/, 'Quantity must be a whole number.')
  .transform(Number)

const variantId = z.string({ error: 'Choose a variant.' }).max(64)

const schemas = {
  unknown: z.object({
    intent: z.never({ error: 'intent must be add, update, update-all, remove or import.' }),
  }),
  add: z.object({ variantId, quantity: wholeNumber }),
  update: z.object({ variantId, quantity: wholeNumber }),
  remove: z.object({ variantId }),
  import: z.object({
    lines: z
      .string()
      .transform((text, check) => {
        try {
          return JSON.parse(text) as unknown
        } catch {
          check.addIssue({ code: 'custom', message: 'The stored cart is not valid JSON.' })
          return z.NEVER
        }
      })
      .pipe(z.array(z.object({ variantId, quantity: z.number() })).max(maxLines)),
  }),
} as const

/**
 * Every cart form, by its `intent`: `add` (the default), `update`, `update-all` (without scripts),
 * `remove`, `import`. Responds with a 303 to a page or, when a script sent the form (`stay`), with
 * the result for the current page.
 */
export async function cartAction({
  request,
  context,
}: {
  request: Request
  context: Readonly<RouterContextProvider>
}) {
  const { ctx, env } = context.get(requestContext)
  const form = await readForm(request)
  const token = await readCartToken(request, env)
  const stay = form.has('stay')
  const intent = getText(form, 'intent') ?? 'add'

  const done = async (flash: Flash | null, newToken: string | null = null) => {
    const headers = new Headers()
    if (newToken && newToken !== token) headers.append('Set-Cookie', await cartCookieHeader(newToken, env))
    if (stay) return data({ done: intent, notice: flash }, { headers })
    if (flash) headers.append('Set-Cookie', await flashHeader(flash, env))
    return redirect(getText(form, 'from') === 'checkout' ? paths.checkout : paths.cart, {
      status: 303,
      headers,
    })
  }

  switch (intent) {
    case 'update':
      return formAction(
        form,
        schemas.update,
        async (input) => {
          await setCartQuantity(ctx, token, input)
          return done(null)
        },
        ctx,
      )
    case 'update-all':
      return (await updateAll(ctx, token, form)) ?? done(null)
    case 'remove':
      return formAction(
        form,
        schemas.remove,
        async (input) => {
          await removeFromCart(ctx, token, input)
          return done(null)
        },
        ctx,
      )
    case 'import':
      return formAction(
        form,
        schemas.import,
        async ({ lines }) => {
          const result = await importCart(ctx, token, lines)
          const items = result.imported === 1 ? '1 item' : `${result.imported} different items`
          const are = result.imported === 1 ? 'is' : 'are'
          return done(
            result.imported > 0
              ? {
                  kind: 'info',
                  title: 'Cart restored',
                  text: `${items} from your last visit ${are} back in the cart.`,
                }
              : null,
            result.token,
          )
        },
        ctx,
      )
    case 'add':
      // A form without the field adds one. An empty field is an error.
      if (!form.has('quantity')) form.set('quantity', '1')
      return formAction(
        form,
        schemas.add,
        async (input) => {
          const newToken = await addToCart(ctx, token, input)
          return done({ kind: 'success', title: 'Added to cart' }, newToken)
        },
        ctx,
      )
    default:
      return formAction(form, schemas.unknown, async () => done(null), ctx)
  }
}

/**
 * Saves the quantities that were typed without scripts. `shown` has a line's variant and the
 * quantity that the page showed, one for each `quantity`. A line that still has the shown quantity
 * stays as it is: its changed price is not accepted, and its problem blocks no other line. Returns
 * the first failure, or null.
 */
async function updateAll(ctx: Context, token: string | null, form: FormData) {
  const quantities = form.getAll('quantity')
  let failure: ReturnType<typeof data<FormFailure>> | null = null
  for (const [index, shown] of form.getAll('shown').slice(0, maxLines).entries()) {
    const [id = '', quantity = ''] = String(shown).split(' ')
    const typed = quantities[index] ?? ''
    if (typed === quantity) continue
    const line = new FormData()
    line.set('variantId', id)
    line.set('quantity', typed)
    const refused = await formAction(
      line,
      schemas.update,
      async (input) => {
        await setCartQuantity(ctx, token, input)
        return null
      },
      ctx,
    )
    failure ??= refused
  }
  return failure
}
