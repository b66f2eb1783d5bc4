import { Database } from '#db/engine/better-sqlite3.ts'
import { createServer } from 'node:http'
import pg from 'pg'
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

function sqliteQueries(file: string): RawQueries {
  const database = new Database(file, { readonly: true })
  database.pragma('mmap_size = 268435456')
  const search = database.prepare<[string], Record<string, unknown>>(
    `select ${columns} from (select rowid as id from product_documents_fts where product_documents_fts match ?
       order by rowid limit 24) f
     join product_documents d on d.id = f.id join products p on p.id = d.product_id`,
  )
  const list = database.prepare<[], Record<string, unknown>>(listed)
  const variants = database.prepare<[string], Record<string, unknown>>(
    'select * from product_variants where product_id in (select value from json_each(?)) and deleted_at is null',
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

function postgresQueries(url: string): RawQueries {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  const query = async (name: string, text: string, values: unknown[]): Promise<Rows> =>
    (await pool.query<Record<string, unknown>>({ name, text, values })).rows
  const found = `select ${columns} from (select product_id from product_documents where words @@ $1::tsquery
    order by id limit 24) f join products p on p.id = f.product_id`
  const variants = 'select * from product_variants where product_id = any($1) and deleted_at is null'
  return {
    search: (term) => query('search', found, [`'${term}':*`]),
    list: async () => {
      const products = await query('list', listed, [])
      return [...products, ...(await query('variants', variants, [products.map(({ id }) => id)]))]
    },
    product: (id) => query('product', `select ${columns} from products p where id = $1`, [id]),
    close: () => pool.end(),
  }
}

export const rawQueries = (url: string): RawQueries =>
  url.startsWith('sqlite:') ? sqliteQueries(url.slice('sqlite:'.length)) : postgresQueries(url)

function serve(queries: RawQueries, port: number): void {
  const respond = async (url: URL): Promise<string> => {
    if (url.pathname === '/search')
      return JSON.stringify(await queries.search(url.searchParams.get('q') ?? ''))
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
if (script.endsWith('raw-server.ts') && databaseUrl && port) serve(rawQueries(databaseUrl), Number(port))
