import { openDatabase } from '#db/engine/client.ts'
import { newId } from '#domain/ids.ts'

/**
 * Adds carts to DATABASE_URL with eight concurrent writers until it is killed. Prints the id
 * of each cart once the database has acknowledged it.
 */
const db = openDatabase(process.env['DATABASE_URL'] ?? '', (error) => {
  throw error
})
const now = new Date()

async function keepWriting(isBare: boolean): Promise<never> {
  for (;;) {
    const id = newId()
    const cart = { id, tokenHash: id, createdAt: now, updatedAt: now }
    if (isBare) await db.insertInto('carts').values(cart).execute()
    else await db.transaction().execute((tx) => tx.insertInto('carts').values(cart).execute())
    process.stdout.write(`${id}\n`)
  }
}

await Promise.all(Array.from({ length: 8 }, (_, i) => keepWriting(i % 2 === 0)))
