import { sql } from 'kysely'
import { getEngine, type Db } from '../engine/client.ts'
import { jsonRows } from '../engine/json-rows.ts'
import { isOneOf } from '../engine/sql.ts'

/**
 * The process that holds the import lease. Only one import runs at a time; the next one takes over
 * from a killed process.
 */
export type Importer = { host: string; pid: number }

/** An import without a heartbeat for this long is dead, even if a process has its id. */
const staleAfterMs = 120_000

/**
 * Claims the import lease. Returns null on success, else the importer that holds it.
 * @param isAlive whether the holder, on this host, is still running
 */
export async function claimImport(
  db: Db,
  importer: Importer,
  now: Date,
  isAlive: (holder: Importer) => boolean,
): Promise<Importer | null> {
  return db.transaction().execute(async (tx) => {
    let query = tx.selectFrom('catalogImport').select(['host', 'pid', 'heartbeatAt'])
    if (getEngine(tx) === 'postgres') query = query.forUpdate()
    const { host, pid, heartbeatAt } = await query.executeTakeFirstOrThrow()
    if (host !== null && pid !== null && heartbeatAt !== null) {
      const holder = { host, pid }
      const isStale = now.getTime() - heartbeatAt.getTime() > staleAfterMs
      const isAbandoned = host === importer.host && (pid === importer.pid || !isAlive(holder))
      if (!isStale && !isAbandoned) return holder
    }
    await tx
      .updateTable('catalogImport')
      .set({ ...importer, heartbeatAt: now })
      .execute()
    await tx.deleteFrom('catalogSeen').execute()
    return null
  })
}

/** Renews the lease. Returns false when another import has taken it over. */
export async function recordImportHeartbeat(db: Db, { host, pid }: Importer, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('catalogImport')
    .set({ heartbeatAt: now })
    .where('host', '=', host)
    .where('pid', '=', pid)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Releases the lease and clears the run's keys, unless another import has taken over. */
export async function releaseImport(db: Db, { host, pid }: Importer): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('catalogImport')
      .set({ host: null, pid: null, heartbeatAt: null })
      .where('host', '=', host)
      .where('pid', '=', pid)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await tx.deleteFrom('catalogSeen').execute()
  })
}

export const setSearchIsStale = (db: Db, searchIsStale: boolean): Promise<unknown> =>
  db.updateTable('catalogImport').set({ searchIsStale }).execute()

export async function isSearchStale(db: Db): Promise<boolean> {
  const state = await db.selectFrom('catalogImport').select('searchIsStale').executeTakeFirstOrThrow()
  return state.searchIsStale
}

/**
 * What is stored about a row's key: seen earlier in this run, imported as a variant, or merged into
 * one.
 */
export type KnownRow = {
  catalogKey: string
  seenDigest: string | null
  variantDigest: string | null
  /** The variant with this key, with or without a digest. */
  variantId: string | null
  completedDigest: string | null
}

/** Looks up the keys of some rows. */
export async function findKnownRows(db: Db, keys: readonly string[]): Promise<Map<string, KnownRow>> {
  const rows = jsonRows(
    db,
    keys.map((key) => ({ key })),
    { key: 'text' },
  )
  const found = await sql<KnownRow>`
    select r.key as catalog_key, s.digest as seen_digest, v.id as variant_id, v.catalog_digest as variant_digest,
      c.digest as completed_digest
    from ${rows}
    left join catalog_seen s on s.catalog_key = r.key
    left join product_variants v on v.catalog_key = r.key
    left join catalog_rows c on c.catalog_key = r.key
    where s.catalog_key is not null or v.id is not null or c.catalog_key is not null`.execute(db)
  return new Map(found.rows.map((row) => [row.catalogKey, row]))
}

/** Records keys as seen in this run. */
export async function recordSeenKeys(
  db: Db,
  rows: readonly { catalogKey: string; digest: string }[],
): Promise<void> {
  if (rows.length === 0) return
  const list = jsonRows(
    db,
    rows.map(({ catalogKey, digest }) => ({ key: catalogKey, digest })),
    {
      key: 'text',
      digest: 'text',
    },
  )
  await sql`
    insert into catalog_seen (catalog_key, digest)
    select r.key, r.digest from ${list} where true on conflict do nothing`.execute(db)
}

export type PackageVariant = {
  ndc: string
  id: string
  catalogKey: string
  upc: string | null
  digest: string | null
}

/**
 * The imported variants with these package NDCs: from the directory ("ndc:…") or known only by a
 * UPC ("upc:…").
 */
export async function findPackages(db: Db, ndcs: readonly string[]): Promise<PackageVariant[]> {
  if (ndcs.length === 0) return []
  const asTyped = new Map<string, string[]>()
  for (const ndc of ndcs) {
    const value = ndc.toLowerCase()
    asTyped.set(value, [...(asTyped.get(value) ?? []), ndc])
  }
  // Not a join with the list: without statistics, Postgres would compare each NDC with every row.
  const { rows } = await sql<Omit<PackageVariant, 'ndc'> & { value: string }>`
    select i.value, v.id, v.catalog_key, v.upc, v.catalog_digest as digest
    from variant_identifiers i
    join product_variants v on v.id = i.variant_id
    where ${isOneOf(db, 'i.value', sql`${JSON.stringify([...asTyped.keys()])}`)} and i.kind = 'ndc'
      and v.catalog_key is not null
    order by v.catalog_key`.execute(db)
  return rows.flatMap(({ value, ...found }) => (asTyped.get(value) ?? []).map((ndc) => ({ ndc, ...found })))
}

export type Sibling = {
  productNdc: string
  productKey: string
  dosageForm: string | null
  strength: string
  strengthUnit: string
  labelStrength: string | null
  labelForm: string | null
  controlledSchedule: string | null
}

/** For each product NDC, its first package in the directory. */
export async function findSiblings(db: Db, productNdcs: readonly string[]): Promise<Map<string, Sibling>> {
  if (productNdcs.length === 0) return new Map()
  const list = jsonRows(
    db,
    productNdcs.map((ndc) => ({ ndc })),
    { ndc: 'text' },
  )
  const { rows } = await sql<Sibling>`
    select f.ndc as product_ndc, p.catalog_key as product_key, v.dosage_form, v.strength, v.strength_unit,
      v.label_strength, v.label_form, v.controlled_schedule
    from (
      select r.ndc, (
        select min(catalog_key) from product_variants
        where catalog_key > 'ndc:' || r.ndc || '-' and catalog_key < 'ndc:' || r.ndc || '.'
      ) as first_key
      from ${list}
    ) f
    join product_variants v on v.catalog_key = f.first_key
    join products p on p.id = v.product_id
    where p.catalog_key is not null`.execute(db)
  return new Map(rows.map((row) => [row.productNdc, row]))
}

/**
 * Locks the variants with these keys, those linked to them, and then these products, each in the
 * order of their ids: as sales and edits do, so that none of them deadlocks with the import. SQLite
 * has one writer.
 */
export async function lockImported(
  db: Db,
  { variantKeys, productKeys }: { variantKeys: readonly string[]; productKeys: readonly string[] },
): Promise<void> {
  if (getEngine(db) === 'sqlite') return
  const keyed = sql`select v.id from product_variants v where ${isOneOf(db, 'v.catalog_key', sql`${JSON.stringify(variantKeys)}`)}`
  if (variantKeys.length > 0)
    await sql`
      select id from product_variants
      where id = any(array(${keyed} union
        select l.id from product_variants l where l.linked_variant_id = any(array(${keyed}))))
      order by id for no key update`.execute(db)
  if (productKeys.length > 0)
    await sql`
      select id from products where ${isOneOf(db, 'catalog_key', sql`${JSON.stringify(productKeys)}`)}
      order by id for no key update`.execute(db)
}
