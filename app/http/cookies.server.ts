import { maxReplicaLagMs } from '#domain/replica.ts'
import { knownDeviceSeconds, maxTokensPerBrowser } from '#server/accounts/known-device.ts'
import { absoluteSeconds } from '#server/accounts/session-rules.ts'
import type { Context } from '#server/context.ts'
import type { Env } from '#server/env.ts'
import { bindings } from '#server/crypto/bindings.ts'
import { seal, unseal } from '#server/crypto/sealing.ts'
import { createCookie, type Cookie } from 'react-router'
import { z } from 'zod'
import type { Theme } from '../components/theme.ts'
import { densityCookieName } from './density-cookie.ts'
import { findPlainCookie } from './find-plain-cookie.ts'
import { sidebarCookieName } from './sidebar-cookie.ts'

const cartSeconds = 90 * 24 * 60 * 60
const flashSeconds = 60
const secondStepSeconds = 10 * 60
const signInSeconds = 10 * 60
/** Twice the bound. */
const wroteSeconds = (2 * maxReplicaLagMs) / 1000

/** The cookies that the server sets for this host only. */
const hostCookies = ['cart', 'session', 'device', 'wrote', 'second-step', 'sign-in', 'flash'] as const
type HostCookie = (typeof hostCookies)[number]

const isHttps = (env: Pick<Env, 'publicOrigin'>): boolean => env.publicOrigin.startsWith('https:')

const hostPrefix = '__Host-'

/** The name of a cookie for this host only. On https, browsers enforce that by its prefix. */
const hostName = (env: Pick<Env, 'publicOrigin'>, name: HostCookie): string =>
  isHttps(env) ? hostPrefix + name : name

const hostCookie = (env: Env, name: HostCookie, maxAge: number): Cookie =>
  createCookie(hostName(env, name), {
    path: '/',
    sameSite: 'lax',
    httpOnly: true,
    secure: isHttps(env),
    maxAge,
  })

async function read<T>(cookie: Cookie, request: Request, schema: z.ZodType<T>): Promise<T | null> {
  return schema.safeParse(await cookie.parse(request.headers.get('cookie'))).data ?? null
}

const tokenSchema = z.base64url().length(43)
const deviceSchema = z.array(tokenSchema).max(maxTokensPerBrowser)

/** The cart's token; null when it is absent or malformed. */
export const readCartToken = (request: Request, env: Env): Promise<string | null> =>
  read(hostCookie(env, 'cart', cartSeconds), request, tokenSchema)

export const cartCookieHeader = (token: string, env: Env): Promise<string> =>
  hostCookie(env, 'cart', cartSeconds).serialize(token)

export const clearCartHeader = (env: Env): Promise<string> =>
  hostCookie(env, 'cart', cartSeconds).serialize('', { maxAge: 0 })

/**
 * Expires with the session's absolute limit. The session itself can end earlier when it is idle.
 */
export const readSessionToken = (request: Request, env: Env): Promise<string | null> =>
  read(hostCookie(env, 'session', absoluteSeconds), request, tokenSchema)

export const sessionCookieName = (env: Pick<Env, 'publicOrigin'>): string => hostName(env, 'session')

export const sessionCookieHeader = (token: string, env: Env): Promise<string> =>
  hostCookie(env, 'session', absoluteSeconds).serialize(token)

export const clearSessionHeader = (env: Env): Promise<string> =>
  hostCookie(env, 'session', absoluteSeconds).serialize('', { maxAge: 0 })

/**
 * The browser's tokens as a known device, for the accounts that signed in there. Lasts longer than
 * any session, and no page depends on it.
 */
export const readDeviceTokens = async (request: Request, env: Env): Promise<string[]> =>
  (await read(hostCookie(env, 'device', knownDeviceSeconds), request, deviceSchema)) ?? []

export const deviceCookieHeader = (tokens: readonly string[], env: Env): Promise<string> =>
  hostCookie(env, 'device', knownDeviceSeconds).serialize(tokens)

/**
 * In a browser that just changed something. It outlives the greatest lag of the replica, so the
 * browser reads its own writes (choose-reads.server.ts).
 */
export const hasWriteMark = async (request: Request, env: Env): Promise<boolean> =>
  (await read(hostCookie(env, 'wrote', wroteSeconds), request, z.literal(true))) === true

export const writeMarkHeader = (env: Env): Promise<string> =>
  hostCookie(env, 'wrote', wroteSeconds).serialize(true)

/** The frame of a page depends on them, and nothing else that guests get. */
const frameCookies: ReadonlySet<string> = new Set(['cart', 'theme'])
/**
 * Every cookie that a response can depend on. The shop reads no others but the device's, which
 * changes no page.
 */
const readCookies: ReadonlySet<string> = new Set([
  ...hostCookies.filter((name) => name !== 'device'),
  ...frameCookies,
  densityCookieName,
  sidebarCookieName,
])

/**
 * How much of a response can depend on the request's cookies. Cookies that the shop does not read,
 * such as those of a proxy in front of it, do not count.
 */
export function cookieEffect(request: Request): 'none' | 'frame' | 'any' {
  const header = request.headers.get('cookie')
  if (header === null) return 'none'
  let effect: 'none' | 'frame' = 'none'
  for (const cookie of header.split(';')) {
    const name = (cookie.split('=', 1)[0] ?? '').trim()
    const bare = name.startsWith(hostPrefix) ? name.slice(hostPrefix.length) : name
    if (!readCookies.has(bare)) continue
    if (!frameCookies.has(bare)) return 'any'
    effect = 'frame'
  }
  return effect
}

/** The one-time token between a correct password and the second factor. */
export const readSecondStep = (request: Request, env: Env): Promise<string | null> =>
  read(hostCookie(env, 'second-step', secondStepSeconds), request, tokenSchema)

export const secondStepHeader = (token: string, env: Env): Promise<string> =>
  hostCookie(env, 'second-step', secondStepSeconds).serialize(token)

export const clearSecondStepHeader = (env: Env): Promise<string> =>
  hostCookie(env, 'second-step', secondStepSeconds).serialize('', { maxAge: 0 })

const pendingSchema = z.object({
  checks: z.object({ state: z.string(), nonce: z.string(), codeVerifier: z.string() }),
  returnTo: z.string(),
  /** Milliseconds since 1970, sealed, so that the browser cannot extend it. */
  at: z.number(),
})

/**
 * A sign-in in progress at the identity provider: the values to check its response, and where to go
 * next.
 */
export type PendingSignIn = Omit<z.infer<typeof pendingSchema>, 'at'>

export async function readPendingSignIn(
  request: Request,
  env: Env,
  ctx: Pick<Context, 'keys' | 'now'>,
): Promise<PendingSignIn | null> {
  const sealed = await read(hostCookie(env, 'sign-in', signInSeconds), request, z.string())
  if (sealed === null) return null
  try {
    const pending = pendingSchema.parse(JSON.parse(unseal(ctx.keys, bindings.signInCookie(), sealed)))
    return ctx.now.getTime() - pending.at > signInSeconds * 1000 ? null : pending
  } catch {
    // Forged, or sealed with a key that was removed: treated as absent.
    return null
  }
}

export const pendingSignInHeader = (
  pending: PendingSignIn,
  env: Env,
  ctx: Pick<Context, 'keys' | 'now'>,
): Promise<string> =>
  hostCookie(env, 'sign-in', signInSeconds).serialize(
    seal(ctx.keys, bindings.signInCookie(), JSON.stringify({ ...pending, at: ctx.now.getTime() })),
  )

export const clearPendingSignInHeader = (env: Env): Promise<string> =>
  hostCookie(env, 'sign-in', signInSeconds).serialize('', { maxAge: 0 })

const flashSchema = z.object({
  kind: z.enum(['success', 'info', 'error']),
  title: z.string().max(200),
  text: z.string().max(1000).optional(),
  link: z.object({ href: z.string().max(200), label: z.string().max(50) }).optional(),
  leaving: z.string().max(200).optional(),
})

/**
 * A message that the next page shows once. `leaving` is the path of the page being left: its data
 * may be requested at the same time, and that request must not consume the message. A visitor who
 * then signs in continues there.
 */
export type Flash = z.infer<typeof flashSchema>

/** The message for the page at `path`, or null. */
export async function readFlash(request: Request, env: Env, path: string): Promise<Flash | null> {
  const flash = await read(hostCookie(env, 'flash', flashSeconds), request, flashSchema)
  return flash?.leaving !== undefined && flash.leaving === path ? null : flash
}

export const flashHeader = (flash: Flash, env: Env): Promise<string> =>
  hostCookie(env, 'flash', flashSeconds).serialize(flash)

export const clearFlashHeader = (env: Env): Promise<string> =>
  hostCookie(env, 'flash', flashSeconds).serialize('', { maxAge: 0 })

/** The theme of the first paint; any unknown value means light. */
export const readTheme = (request: Request): Theme =>
  findPlainCookie(request, 'theme') === 'dark' ? 'dark' : 'light'
