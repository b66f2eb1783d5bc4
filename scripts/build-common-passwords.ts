import { foldPassword } from '#domain/accounts/weak-password.ts'
import { signInBounds } from '#domain/accounts/sign-in.ts'
import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Generates server/accounts/common-passwords.json from a list with one password a line, the most
 * common first (NOTICE names ours):
 *
 * npx tsx scripts/build-common-passwords.ts FILE
 *
 * Leaves out passwords that the shop would refuse as too short, and email addresses, which are
 * personal data.
 */
const [file] = process.argv.slice(2)
if (!file) throw new Error('FILE is missing')
const passwords = readFileSync(file, 'utf8')
  .split('\n')
  .map(foldPassword)
  .filter((password) => [...password].length >= signInBounds.password.min && !/@\w+\./.test(password))
// Lines before and after each, so that a search finds whole passwords only.
const text = `\n${[...new Set(passwords)].toSorted().join('\n')}\n`
writeFileSync('server/accounts/common-passwords.json', `${JSON.stringify({ passwords: text })}\n`)
