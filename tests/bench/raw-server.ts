import { Database } from '#db/engine/better-sqlite3.ts'
import { createServer } from 'node:http'
import pg from 'pg'
import { indexInPostgres, indexInSqlite } from './plain-search.ts'
import { renderCards } from './raw-cards.ts'
import { renderRouterCards } from './raw-router.ts'

/**
 * The limit of this machine: node:http and one prepared query, without a framework, layers or
 * checks. It runs as its own process:
 * `node --import tsx tests/bench/raw-server.ts DATABASE_URL PORT`.
 */
type Rows = Record<string, unknown>[]
type RawQueries = {
  search: (term: string) => Promise<Rows>
  list: () => Promise<Rows>
  product: (id: string) => Promise<Rows>
  close: () => Promise<void>
}

const columns = 'p.id, p.name, p.description, p.image, p.category, p.pharmacy_id, p.controlled_schedule'
const listed = `select ${columns} from products p where deleted_at is null order by sales_order, sort_name, id limit 24`
/** What the shop's list answers of a variant. */
const variantColumns = `id, product_id, brand_name, generic_name, manufacturer_id, dosage_form, strength,
  strength_unit, package_size, package_unit, price_cents, sku, upc, ndc, din, in_stock, stock_quantity,
  track_inventory, linked_variant_id`

async function sqliteQueries(file: string): Promise<RawQueries> {
  const database = new Database(file, { readonly: true })
  database.pragma('mmap_size = 268435456')
  indexInSqlite(database)
  const search = database.prepare<[string], Record<string, unknown>>(
    `select ${columns} from (select rowid from temp.plain_search where plain_search match ?
       order by rank limit 24) f
     join products p on p.rowid = f.rowid`,
  )
  const list = database.prepare<[], Record<string, unknown>>(listed)
  const variants = database.prepare<[string], Record<string, unknown>>(
    `select ${variantColumns} from product_variants
     where product_id in (select value from json_each(?)) and deleted_at is null`,
  )
  const product = database.prepare<[string], Record<string, unknown>>(
    `select ${columns} from products p where id = ?`,
  )
  return {
    search: async (term) => search.all(`"${term}"*`),
    list: async () => {
      const products = list.all()
      return [...products, ...variants.all(JSON.stringify(products.map(({ id }) => id)))]
    },
    product: async (id) => product.all(id),
    close: async () => void database.close(),
  }
}

async function postgresQueries(url: string): Promise<RawQueries> {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  await indexInPostgres(pool)
  const query = async (name: string, text: string, values: unknown[]): Promise<Rows> =>
    (await pool.query<Record<string, unknown>>({ name, text, values })).rows
  const found = `select ${columns} from (select product_id from plain_search where words @@ $1::tsquery
    order by ts_rank(words, $1::tsquery) desc limit 24) f join products p on p.id = f.product_id`
  const variants = `select ${variantColumns} from product_variants
    where product_id = any($1) and deleted_at is null`
  return {
    search: (term) => query('search', found, [`'${term}':*`]),
    list: async () => {
      const products = await query('list', listed, [])
      return [...products, ...(await query('variants', variants, [products.map(({ id }) => id)]))]
    },
    product: (id) => query('product', `select ${columns} from products p where id = $1`, [id]),
    close: async () => {
      await pool.query('drop table plain_search')
      await pool.end()
    },
  }
}

export const rawQueries = (url: string): Promise<RawQueries> =>
  url.startsWith('sqlite:') ? sqliteQueries(url.slice('sqlite:'.length)) : postgresQueries(url)

function serve(queries: RawQueries, port: number): void {
  const respond = async (url: URL): Promise<string> => {
    if (url.pathname === '/search') {
      const found = await queries.search(url.searchParams.get('q') ?? '')
      // Nothing is found much faster than something, so an empty reply is no limit.
      if (found.length === 0) throw new Error(`The plain search found nothing for ${url.search}.`)
      return JSON.stringify(found)
    }
    if (url.pathname === '/list') return JSON.stringify(await queries.list())
    if (url.pathname === '/product')
      return JSON.stringify(await queries.product(url.searchParams.get('id') ?? ''))
    if (url.pathname === '/cards') return renderCards()
    if (url.pathname === '/router-cards') return renderRouterCards()
    if (url.pathname === '/hello') return 'hello'
    // As many bytes as requested: the cost of HTTP alone for a response of that size.
    return 'x'.repeat(Number(url.searchParams.get('bytes') ?? 2))
  }
  const server = createServer((request, response) => {
    respond(new URL(request.url ?? '/', 'http://localhost')).then(
      (text) => response.writeHead(200, { 'content-length': Buffer.byteLength(text) }).end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  server.listen(port, '127.0.0.1')
}

const [, script = '', databaseUrl, port] = process.argv
if (script.endsWith('raw-server.ts') && databaseUrl && port) {
  const queries = await rawQueries(databaseUrl)
  process.once('SIGTERM', () => void queries.close().then(() => process.exit()))
  serve(queries, Number(port))
}
