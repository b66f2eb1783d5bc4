import { grantEmergencyAccess } from '#server/accounts/grant-emergency-access.ts'
import { startContext } from '#server/context.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { createLog } from '#server/log.ts'
import { getShopFacts } from '#server/shop-facts.ts'
import { CommandError, readOptions, runCommand } from './run-command.ts'
import { openShopDatabase, readCommandEnv } from './shop-database.ts'

/**
 * `npm run emergency:access -- --email E --reason TEXT`: lets an existing account into the back
 * office of the shop in DATABASE_URL and prints a link that sets its password (docs/operations.md,
 * "Emergency access"). Needs the shop's ENCRYPTION_KEYS. Exits 1 when the address has no account.
 */
const longestReason = 500

function readArguments(): { email: string; reason: string } {
  const text = { type: 'string' } as const
  const usage = 'npm run emergency:access -- --email E --reason TEXT'
  const { email = '', reason = '' } = readOptions(usage, { email: text, reason: text })
  if (email.trim() === '') throw new CommandError('Add the account’s email: --email name@example.com')
  if (reason.trim() === '' || reason.length > longestReason) {
    throw new CommandError(
      `Add why, in at most ${longestReason} characters: --reason "All admins lost their phones"`,
    )
  }
  return { email: email.trim(), reason: reason.trim() }
}

async function main(): Promise<number> {
  const { email, reason } = readArguments()
  const env = readCommandEnv()
  if (env.oidc) {
    throw new CommandError(
      'The shop signs in by an identity provider. Start it without the OIDC_ values first, then run this without them.',
    )
  }
  const db = await openShopDatabase(env.databaseUrl)
  try {
    const keys = await openShopKeys(db, env)
    const ctx = startContext({ db, log: createLog('warn'), keys, shop: getShopFacts(env) })
    const { link, minutes } = await grantEmergencyAccess(ctx, { email, reason })
    process.stdout.write(`${email} is an admin without two-step sign-in. Set the password here, `)
    process.stdout.write(`within ${minutes} minutes:\n${link}\n`)
    return 0
  } finally {
    await db.destroy()
  }
}

await runCommand(main)
