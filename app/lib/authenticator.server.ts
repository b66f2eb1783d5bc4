import { signInSchema } from '#domain/sign-in.ts'
import { signIn, type ProvenUser } from '#server/accounts/sign-in.ts'
import type { Context } from '#server/context.ts'
import { Authenticator } from 'remix-auth'
import { FormStrategy } from 'remix-auth-form'

/** Made for each request: what a strategy verifies with is that request's context (docs/decisions/0013-sign-in.md). */
const authenticatorOf = (ctx: Context): Authenticator<ProvenUser> =>
  new Authenticator<ProvenUser>().use(
    new FormStrategy(({ form }) => signIn(ctx, signInSchema.parse(Object.fromEntries(form)))),
  )

/** Who signs in with the e-mail and password of a form that was read, bounded and checked. Throws what `signIn` throws. */
export const authenticateForm = (ctx: Context, form: FormData): Promise<ProvenUser> =>
  // The strategy reads a request whole, however long: it gets one made of what was read already.
  authenticatorOf(ctx).authenticate(
    'form',
    new Request('http://form.invalid', { method: 'POST', body: form }),
  )
