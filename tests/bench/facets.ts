import { openDatabase } from '#db/engine/client.ts'
import { migrate } from '#db/engine/migrate.ts'
import { searchProducts, type ProductSearch } from '#server/search/search-products.ts'

/**
 * `npm run bench:facets -- DATABASE_URL`: CPU time of a page of results with the counts of
 * its facets, and without, on an imported catalog.
 */
const [url] = process.argv.slice(2)
if (!url) throw new Error('Usage: facets DATABASE_URL')
const db = openDatabase(url, (error) => console.error(error.message))
await migrate(db)

const repeats = 20

async function cpuMs(search: ProductSearch): Promise<{ ms: number; total: number }> {
  const { total } = await searchProducts({ reads: db }, search)
  const before = process.cpuUsage()
  for (let i = 0; i < repeats; i++) await searchProducts({ reads: db }, search)
  const { user, system } = process.cpuUsage(before)
  return { ms: (user + system) / 1000 / repeats, total }
}

const searches: readonly ProductSearch[] = [
  {},
  { category: 'OTC' },
  { form: 'tablet', stock: 'in', price: '10-25', shipsTo: 'Canada' },
  { sort: 'unit-price' },
  { sort: 'price', form: 'tablet' },
  { q: 'ibuprofen' },
  { q: 'tablet' },
  { q: 'tablet', form: 'capsule', sort: 'name' },
  { q: 'high blood pressure', byNeed: true },
]
const { count } = await db
  .selectFrom('productVariants')
  .select((eb) => eb.fn.countAll<number>().as('count'))
  .where('deletedAt', 'is', null)
  .executeTakeFirstOrThrow()
process.stdout.write(`${count} variants. CPU ms a page, without and with counts:\n`)
for (const search of searches) {
  const [plain, counted] = [await cpuMs(search), await cpuMs({ ...search, facets: true })]
  process.stdout.write(
    `${JSON.stringify(search)}: ${plain.ms.toFixed(1)}, ${counted.ms.toFixed(1)} (${counted.total} medicines)\n`,
  )
}
await db.destroy()
