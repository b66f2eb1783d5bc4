import { HOTP, Secret, TOTP } from 'otpauth'
import { encode } from 'uqr'

/** What every authenticator app can do; several ignore other figures in the address (RFC 6238; "Key Uri Format"). */
const algorithm = 'SHA1'
const digits = 6
const periodSeconds = 30
/** One step to either side, for clocks that go wrong and people who type slowly (RFC 6238, 5.2). */
const window = 1

/** A new secret of 160 bits, base32, as RFC 4226, 4 asks for with this hash. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** The time step whose code this is; null when it is none of about now. Takes six digits alone. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
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

/** What an app makes of a secret, as its `otpauth:` address. `label` tells one account from another there. */
export const totpAddress = (secret: string, label: string): string =>
  new TOTP({ issuer: 'Meridian', label, secret, algorithm, digits, period: periodSeconds }).toString()

/** A QR code: so many modules a side, its light border with them, and the dark ones as one SVG path. */
export type QrCode = { size: number; path: string }

export function qrCodeOf(text: string): QrCode {
  // Four light modules around it are part of the code (ISO/IEC 18004).
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
