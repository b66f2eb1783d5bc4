import { findWeakness, type Weakness } from '#domain/accounts/weak-password.ts'
import { AppError } from '#domain/errors.ts'
import { z } from 'zod'

const advice: Record<Weakness, string> = {
  common: 'Many people use this password. Choose a few random words instead.',
  pattern: 'This password is a simple pattern. Choose a few random words instead.',
  predictable:
    'This password is made of words that are easy to guess, such as your email address or our name. Choose a few random words instead.',
}

let commonPasswords: Promise<string> | null = null

/**
 * The common passwords of 12 characters and more, one a line. A search in one text takes a fifth of
 * a millisecond and a tenth of the memory of a set.
 */
const loadCommonPasswords = (): Promise<string> =>
  (commonPasswords ??= import('./common-passwords.json', { with: { type: 'json' } }).then(
    (file) => z.object({ passwords: z.string() }).parse(file.default).passwords,
  ))

/**
 * Throws INVALID with the field when a new password is easy to guess. Existing passwords are never
 * checked, so every user can still sign in.
 */
export async function requireStrongPassword(
  field: 'password' | 'newPassword',
  { password, email }: { password: string; email: string },
): Promise<void> {
  const list = await loadCommonPasswords()
  const weakness = findWeakness(password, email, (folded) => list.includes(`\n${folded}\n`))
  if (weakness === null) return
  throw new AppError('INVALID', advice[weakness], { fields: { [field]: advice[weakness] } })
}
