import { HOTP, Secret, TOTP } from 'otpauth'
import { encode } from 'uqr'

/**
 * Supported by every authenticator app; several ignore other parameters in the URI (RFC 6238; "Key
 * Uri Format").
 */
const algorithm = 'SHA1'
const digits = 6
const periodSeconds = 30
/** One step to either side, for inaccurate clocks and slow typing (RFC 6238, 5.2). */
const window = 1

/** A new base32 secret of 160 bits, the length that RFC 4226, 4 recommends for this hash. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/**
 * The time step that a code of six digits belongs to. Null when it does not match any current step.
 */
export function findTimeStep(secret: string, code: string, now: Date): number | null {
  const step = Math.floor(now.getTime() / 1000 / periodSeconds)
  const delta = HOTP.validate({
    token: code,
    secret: Secret.fromBase32(secret),
    algorithm,
    digits,
    counter: step,
    window,
  })
  return delta === null ? null : step + delta
}

/**
 * The `otpauth:` URI of a secret for an authenticator app, which lists the account under `label`.
 */
export const totpUri = (secret: string, label: string): string =>
  new TOTP({ issuer: 'Meridian', label, secret, algorithm, digits, period: periodSeconds }).toString()

/**
 * A QR code: the number of modules per side, including the light border, and the dark modules as
 * one SVG path.
 */
export type QrCode = { size: number; path: string }

export function createQrCode(text: string): QrCode {
  // The standard requires a border of four light modules (ISO/IEC 18004).
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  const rows = data.map((row, y) =>
    [
      ...row
        .map((dark) => (dark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
  )
  return { size, path: rows.flat().join('') }
}

const setupMs = 10 * 60 * 1000

/** Whether the setup of a second factor may still be confirmed. */
export const isSetupOpen = ({ totpStartedAt }: { totpStartedAt: Date | null }, now: Date): boolean =>
  totpStartedAt !== null && now.getTime() - totpStartedAt.getTime() < setupMs
