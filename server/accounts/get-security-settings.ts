import { countRecoveryCodes } from '#db/accounts/second-factors.ts'
import { listSessions } from '#db/accounts/sessions.ts'
import { findGuards } from '#db/accounts/users.ts'
import { deviceInWords } from '#domain/accounts/device.ts'
import { AppError } from '#domain/errors.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { bindings } from '../crypto/bindings.ts'
import { unseal } from '../crypto/sealing.ts'
import { requireUser } from '../require-user.ts'
import type { SessionRules } from './session-rules.ts'
import { qrCodeOf, totpAddress, type QrCode } from './totp.ts'
import { openUserKey } from '../crypto/user-key.ts'

/** A second factor that is off, waits for its first code, or is on. */
type SecondFactor =
  | { state: 'off' }
  | { state: 'begun'; secret: string; address: string; qrCode: QrCode }
  | { state: 'on'; codesLeft: number }

type OwnSession = {
  id: string
  device: string
  address: string
  createdAt: Date
  lastSeenAt: Date
  isCurrent: boolean
}

/** How the account of whoever is signed in is guarded, for them alone. */
export type Security = {
  isEmailConfirmed: boolean
  /** Not where an identity provider signs in. */
  hasPassword: boolean
  secondFactor: SecondFactor
  /** Where they are signed in, the last used first. */
  sessions: OwnSession[]
}

/** Throws UNAUTHENTICATED when nobody is signed in. */
export async function readSecurity(ctx: Context, rules: SessionRules): Promise<Security> {
  const user = requireUser(ctx)
  const guards = await findGuards(ctx.db, user.id)
  const key = await openUserKey(ctx, user.id)
  if (!guards || !key) throw new AppError('NOT_FOUND')
  const idleSeconds = user.isAdmin ? rules.adminIdleSeconds : rules.idleSeconds
  const sessions = await listSessions(ctx.db, {
    userId: user.id,
    now: ctx.now,
    usedSince: new Date(ctx.now.getTime() - idleSeconds * 1000),
  })
  return {
    isEmailConfirmed: guards.emailConfirmedAt !== null,
    hasPassword: guards.passwordHash !== null,
    secondFactor:
      guards.sealedTotpSecret === null
        ? { state: 'off' }
        : guards.totpConfirmedAt
          ? { state: 'on', codesLeft: await countRecoveryCodes(ctx.db, user.id) }
          : begun(unseal(key, bindings.totpSecret(user.id), guards.sealedTotpSecret), user.email),
    sessions: sessions.map(({ sealedDevice, ...session }) => ({
      ...session,
      ...openDevice(key, session.id, sealedDevice),
      isCurrent: session.id === user.sessionId,
    })),
  }
}

function begun(secret: string, email: string): SecondFactor {
  const address = totpAddress(secret, email)
  // In groups, as one types it.
  return { state: 'begun', secret: secret.replace(/.{4}(?=.)/g, '$& '), address, qrCode: qrCodeOf(address) }
}

const deviceSchema = z.object({ userAgent: z.string().nullable(), address: z.string() })

function openDevice(key: KeyRing, id: string, sealed: string): { device: string; address: string } {
  const { userAgent, address } = deviceSchema.parse(
    JSON.parse(unseal(key, bindings.sessionDevice(id), sealed)),
  )
  return { device: deviceInWords(userAgent), address }
}
