import { getEngine } from '#db/engine/client.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { sql } from 'kysely'

/** The tables that grow with each order, customer and variant of the generated shop. */
const tablesOf = {
  order: {
    count: 'orders',
    tables: /^(orders|order_|checkouts|audit_|ledger_|payment_|demo_payments|record_keys|stock_|fills)/,
  },
  customer: { count: 'users', tables: /^(users|user_|person_tokens|shipping_addresses)/ },
  variant: {
    count: 'product_variants',
    tables: /^(product|variant_|inventory_|search_words|catalog_|medicine_)/,
  },
}

/** Prints the bytes of each order, customer and variant on Postgres, by table with its indexes. */
export async function measureBytes(url: string): Promise<void> {
  const db = openTestDatabase(url)
  try {
    // SQLite keeps no sizes of its tables.
    if (getEngine(db) === 'sqlite') return
    const { rows } = await sql<{ name: string; bytes: string }>`
      select relname as name, pg_total_relation_size(oid) as bytes from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace
      order by bytes desc`.execute(db)
    for (const [each, { count, tables }] of Object.entries(tablesOf)) {
      const counted = await sql<{ n: string }>`select count(*) as n from ${sql.table(count)}`.execute(db)
      const n = Number(counted.rows[0]?.n)
      const found = rows
        .filter(({ name }) => tables.test(name))
        .map(({ name, bytes }) => ({ name, each: Math.round(Number(bytes) / n) }))
      const sum = found.reduce((total, table) => total + table.each, 0)
      const largest = found.slice(0, 8).map((table) => `${table.name} ${table.each}`)
      console.log(
        `bytes of each ${each} (${n})`.padEnd(42) + `${String(sum).padStart(9)}: ${largest.join(', ')}`,
      )
    }
  } finally {
    await db.destroy()
  }
}
