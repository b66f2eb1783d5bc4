import { absoluteSeconds } from '#server/accounts/session-rules.ts'
import type { Context } from '#server/context.ts'
import type { Env } from '#server/env.ts'
import { bindings } from '#server/crypto/bindings.ts'
import { seal, unseal } from '#server/crypto/sealing.ts'
import { createCookie, type Cookie } from 'react-router'
import { z } from 'zod'
import type { Theme } from '../components/theme.ts'

const cartSeconds = 90 * 24 * 60 * 60
const flashSeconds = 60
const secondStepSeconds = 10 * 60
const signInSeconds = 10 * 60

/** A cookie of this host only; on https the `__Host-` prefix has the browser hold it to that. */
function ownCookie(env: Env, name: string, maxAge: number): Cookie {
  const https = env.publicOrigin.startsWith('https:')
  return createCookie(https ? `__Host-${name}` : name, {
    path: '/',
    sameSite: 'lax',
    httpOnly: true,
    secure: https,
    maxAge,
  })
}

async function read<T>(cookie: Cookie, request: Request, schema: z.ZodType<T>): Promise<T | null> {
  return schema.safeParse(await cookie.parse(request.headers.get('cookie'))).data ?? null
}

const ownToken = z.base64url().length(43)

/** The cart's token, or null when there is none or it has not the shape of one. */
export const readCartToken = (request: Request, env: Env): Promise<string | null> =>
  read(ownCookie(env, 'cart', cartSeconds), request, ownToken)

export const cartCookieHeader = (token: string, env: Env): Promise<string> =>
  ownCookie(env, 'cart', cartSeconds).serialize(token)

export const clearCartHeader = (env: Env): Promise<string> =>
  ownCookie(env, 'cart', cartSeconds).serialize('', { maxAge: 0 })

/** As long as the session itself at most; it ends earlier when nobody uses it. */
export const readSessionToken = (request: Request, env: Env): Promise<string | null> =>
  read(ownCookie(env, 'session', absoluteSeconds), request, ownToken)

export const sessionCookieHeader = (token: string, env: Env): Promise<string> =>
  ownCookie(env, 'session', absoluteSeconds).serialize(token)

export const clearSessionHeader = (env: Env): Promise<string> =>
  ownCookie(env, 'session', absoluteSeconds).serialize('', { maxAge: 0 })

/** The one-time token of somebody whose password was right and whose second factor is still to come. */
export const readSecondStep = (request: Request, env: Env): Promise<string | null> =>
  read(ownCookie(env, 'second-step', secondStepSeconds), request, ownToken)

export const secondStepHeader = (token: string, env: Env): Promise<string> =>
  ownCookie(env, 'second-step', secondStepSeconds).serialize(token)

export const clearSecondStepHeader = (env: Env): Promise<string> =>
  ownCookie(env, 'second-step', secondStepSeconds).serialize('', { maxAge: 0 })

const begunSchema = z.object({
  checks: z.object({ state: z.string(), nonce: z.string(), codeVerifier: z.string() }),
  returnTo: z.string(),
  /** Milliseconds: the browser is not asked when it was. */
  at: z.number(),
})

/** A sign-in that went to the identity provider: what its answer is held against, and where it leads afterwards. */
export type BegunSignIn = Omit<z.infer<typeof begunSchema>, 'at'>

export async function readBegunSignIn(
  request: Request,
  env: Env,
  ctx: Pick<Context, 'keys' | 'now'>,
): Promise<BegunSignIn | null> {
  const sealed = await read(ownCookie(env, 'sign-in', signInSeconds), request, z.string())
  if (sealed === null) return null
  try {
    const begun = begunSchema.parse(JSON.parse(unseal(ctx.keys, bindings.signInCookie(), sealed)))
    return ctx.now.getTime() - begun.at > signInSeconds * 1000 ? null : begun
  } catch {
    // Not of our making, or of a key that is gone: as if it had not come.
    return null
  }
}

export const begunSignInHeader = (
  begun: BegunSignIn,
  env: Env,
  ctx: Pick<Context, 'keys' | 'now'>,
): Promise<string> =>
  ownCookie(env, 'sign-in', signInSeconds).serialize(
    seal(ctx.keys, bindings.signInCookie(), JSON.stringify({ ...begun, at: ctx.now.getTime() })),
  )

export const clearBegunSignInHeader = (env: Env): Promise<string> =>
  ownCookie(env, 'sign-in', signInSeconds).serialize('', { maxAge: 0 })

const flashSchema = z.object({
  kind: z.enum(['success', 'info', 'error']),
  title: z.string().max(200),
  text: z.string().max(1000).optional(),
  leaving: z.string().max(200).optional(),
})

/**
 * A message for the next page that is shown, once. `leaving` is the path of the page that is left, where its data may still be asked for at the
 * same time: the message is not for that.
 */
export type Flash = z.infer<typeof flashSchema>

/** The message for the page at `path`, or null. */
export async function readFlash(request: Request, env: Env, path: string): Promise<Flash | null> {
  const flash = await read(ownCookie(env, 'flash', flashSeconds), request, flashSchema)
  return flash?.leaving !== undefined && flash.leaving === path ? null : flash
}

export const flashHeader = (flash: Flash, env: Env): Promise<string> =>
  ownCookie(env, 'flash', flashSeconds).serialize(flash)

export const clearFlashHeader = (env: Env): Promise<string> =>
  ownCookie(env, 'flash', flashSeconds).serialize('', { maxAge: 0 })

/** The theme of the first paint; whatever is no theme of ours is light. */
export function readTheme(request: Request): Theme {
  const value = /(?:^|;\s*)theme=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1]
  return value === 'dark' ? 'dark' : 'light'
}
