import { openDatabase } from '#db/client.ts'
import { migrate } from '#db/migrate.ts'
import { resetDatabase } from '#db/reset.ts'
import { seedDemo } from '#db/seed/demo.ts'
import { isLoopbackHost, readEnv } from '#server/env.ts'

/** `npm run db:migrate`, `db:seed`, `db:reset`: the database of DATABASE_URL, else the development one. */
const verb = process.argv[2]
const { databaseUrl } = readEnv('dev', process.env)
if (verb === 'reset') {
  const { protocol, hostname } = new URL(databaseUrl)
  if (protocol !== 'sqlite:' && !isLoopbackHost(hostname) && !process.argv.includes('--force')) {
    throw new Error(`${hostname} is not this machine. Add "-- --force" to empty its database all the same.`)
  }
  await resetDatabase(databaseUrl)
}
const db = openDatabase(databaseUrl, (error) => console.error(error.message))
try {
  const applied = await migrate(db)
  console.log(applied.length > 0 ? `applied ${applied.join(', ')}` : 'nothing to migrate')
  if (verb === 'seed' || verb === 'reset') console.log(await seedDemo(db))
} finally {
  await db.destroy()
}
