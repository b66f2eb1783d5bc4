import { grantAdmin } from '#server/accounts/grant-admin.ts'
import { startContext } from '#server/context.ts'
import { createLog } from '#server/log.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { CommandError, readOptions, runCommand } from './run-command.ts'
import { openShopDatabase, readCommandEnv } from './shop-database.ts'

/**
 * `npm run users:admin -- --email E`: grants the admin role to an account in DATABASE_URL,
 * alongside the running shop. Needs the shop's ENCRYPTION_KEYS, which the lookup by address
 * requires. Exits 1 when the address has no account.
 */
function readEmail(): string {
  const { email = '' } = readOptions('npm run users:admin -- --email E', { email: { type: 'string' } })
  if (email.trim() === '') {
    throw new CommandError('Add the account’s email: --email name@example.com')
  }
  return email.trim()
}

async function main(): Promise<number> {
  const email = readEmail()
  const env = readCommandEnv()
  const db = await openShopDatabase(env.databaseUrl)
  try {
    const keys = await openShopKeys(db, env)
    const isNew = await grantAdmin(startContext({ db, log: createLog('warn'), keys }), email)
    process.stdout.write(`${email} ${isNew ? 'is now an admin' : 'is already an admin'}.\n`)
    return 0
  } finally {
    await db.destroy()
  }
}

await runCommand(main)
