import { openDatabase } from '#db/client.ts'
import { AppError } from '#domain/errors.ts'
import { grantAdmin } from '#server/accounts/grant-admin.ts'
import { startContext } from '#server/context.ts'
import { readEnv } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import { openShopKeys } from '#server/shop-keys.ts'
import { parseArgs } from 'node:util'

/** `npm run users:admin -- --email E`: gives an account the admin role, beside the running shop. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { email: { type: 'string' } } })
  if (!values.email)
    throw new AppError('BAD_REQUEST', 'Say whose account it is: --email somebody@example.com')
  // The keys of production stand in its environment, and are asked for when a row cannot be opened without them.
  const env = readEnv('dev', process.env)
  const db = openDatabase(env.databaseUrl, (error) => console.error(error.message))
  try {
    const keys = await openShopKeys(db, env)
    const isNew = await grantAdmin(startContext({ db, log: createLog('warn'), keys }), values.email)
    console.log(`${values.email} ${isNew ? 'is an admin now' : 'is an admin already'}.`)
  } finally {
    await db.destroy()
  }
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
