import { isStaff } from '#domain/accounts/permissions.ts'
import { countRecoveryCodes } from '#db/accounts/second-factors.ts'
import { listSessions } from '#db/accounts/sessions.ts'
import { findSecurityFields } from '#db/accounts/credentials.ts'
import { describeDevice } from '#domain/accounts/device.ts'
import { AppError } from '#domain/errors.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { bindings } from '../crypto/bindings.ts'
import { unseal } from '../crypto/sealing.ts'
import { requireUser } from '../require-user.ts'
import type { SessionRules } from './session-rules.ts'
import { createQrCode, isSetupOpen, totpUri, type QrCode } from './totp.ts'
import { openUserKey } from '../crypto/user-key.ts'

/** A second factor that is off, waiting for its first code, or on. */
type SecondFactor =
  | { state: 'off' }
  | { state: 'pending'; secret: string; uri: string; qrCode: QrCode }
  | { state: 'on'; codesLeft: number }

type SessionView = {
  id: string
  device: string
  address: string
  createdAt: Date
  lastSeenAt: Date
  isCurrent: boolean
}

/** The security settings of the signed-in user's account. */
export type SecuritySettings = {
  isEmailConfirmed: boolean
  /** False when an identity provider signs the user in. */
  hasPassword: boolean
  secondFactor: SecondFactor
  /** The most recently used first. */
  sessions: SessionView[]
}

/** The signed-in user's security settings. Throws UNAUTHENTICATED. */
export async function getSecuritySettings(ctx: Context, rules: SessionRules): Promise<SecuritySettings> {
  const user = requireUser(ctx)
  const account = await findSecurityFields(ctx.db, user.id)
  const key = await openUserKey(ctx, user.id)
  if (!account || !key) throw new AppError('NOT_FOUND')
  const idleSeconds = isStaff(user) ? rules.staffIdleSeconds : rules.idleSeconds
  const sessions = await listSessions(ctx.db, {
    userId: user.id,
    now: ctx.now,
    usedSince: new Date(ctx.now.getTime() - idleSeconds * 1000),
  })
  return {
    isEmailConfirmed: account.emailConfirmedAt !== null,
    hasPassword: account.passwordHash !== null,
    secondFactor: account.totpConfirmedAt
      ? { state: 'on', codesLeft: await countRecoveryCodes(ctx.db, user.id) }
      : account.sealedTotpSecret !== null && isSetupOpen(account, ctx.now)
        ? pendingFactor(unseal(key, bindings.totpSecret(user.id), account.sealedTotpSecret), user.email)
        : { state: 'off' },
    sessions: sessions.map(({ sealedDevice, ...session }) => ({
      ...session,
      ...openDevice(key, session.id, sealedDevice),
      isCurrent: session.id === user.sessionId,
    })),
  }
}

function pendingFactor(secret: string, email: string): SecondFactor {
  const uri = totpUri(secret, email)
  // In groups of four, for typing.
  return { state: 'pending', secret: secret.replace(/.{4}(?=.)/g, '$& '), uri, qrCode: createQrCode(uri) }
}

const deviceSchema = z.object({ userAgent: z.string().nullable(), address: z.string() })

function openDevice(key: KeyRing, id: string, sealed: string): { device: string; address: string } {
  const { userAgent, address } = deviceSchema.parse(
    JSON.parse(unseal(key, bindings.sessionDevice(id), sealed)),
  )
  return { device: describeDevice(userAgent), address }
}
