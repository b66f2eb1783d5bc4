import { findPlainRow, listPlainRows } from '#db/ledger/plain-rows.ts'
import {
  findBatchOfRow,
  findBatchOfTime,
  findLastBatch,
  listBatches,
  listBatchRows,
  type BatchHeader,
} from '#db/ledger/sealed-rows.ts'
import {
  comparePlaces,
  fromPlainRow,
  sortChanges,
  type LedgerChange,
  type PlacedChange,
} from '#domain/ledger/ledger.ts'
import type { Context } from '../context.ts'
import { hashVariant, openLedgerRow, readInbox } from './sealed-ledger.ts'

/**
 * Reads the ledger in its order. SQL knows only the order of the batches. The changes within a
 * batch are decrypted and sorted here, with the plain rows of the same time between them; what is
 * in no batch yet comes after all batches.
 */

type Reader = Pick<Context, 'db' | 'keys'>
type Direction = 'asc' | 'desc'

/** A batch and the time after which its plain rows begin; a null id is the inbox. */
type Group = { id: string | null; from: number | null; to: number | null }

/** Where a page begins: after this change of this group. */
export type LedgerPlace = { groupId: string | null; change: PlacedChange }

/** What the walk and the search for a place share, so that the inbox is decrypted once. */
export type OpenLedger = {
  variantId: string | null
  variantHash: string | null
  /** The newest batch that the inbox was read beside. */
  lastBatchId: string | null
  inbox: LedgerChange[]
}

/** Opens the ledger of a variant, or of all with null. */
export async function openLedger(ctx: Reader, variantId: string | null): Promise<OpenLedger> {
  const variantHash = variantId === null ? null : hashVariant(ctx.keys, variantId)
  for (;;) {
    const before = await findLastBatch(ctx.db)
    const inbox = await readInbox(ctx)
    const after = await findLastBatch(ctx.db)
    // A batch that was closed in between would be read twice, or not at all.
    if (before?.id !== after?.id) continue
    const own = variantId === null ? inbox : inbox.filter((change) => change.variantId === variantId)
    return { variantId, variantHash, lastBatchId: after?.id ?? null, inbox: own }
  }
}

/** A change that was read. `recordedAt` is the time of the clock that wrote it. */
export type WalkedChange = LedgerChange & { recordedAt: number }

/**
 * Every change from a place on, without the one at the place; null begins at the end or start. A
 * change's time is never before that of an earlier change of the variant.
 */
export async function* walkLedger(
  ctx: Reader,
  ledger: OpenLedger,
  { dir, place }: { dir: Direction; place: LedgerPlace | null },
): AsyncGenerator<WalkedChange> {
  for await (const group of eachGroup(ctx, ledger, { dir, place })) {
    const isFirst = place !== null && group.id === place.groupId
    for await (const change of walkGroup(ctx, ledger, group, { dir, after: isFirst ? place.change : null }))
      yield { ...change, at: change.placeMs, recordedAt: change.at }
  }
}

const batchesPerRead = 20

async function* eachGroup(
  { db }: Reader,
  { variantHash, lastBatchId }: OpenLedger,
  { dir, place }: { dir: Direction; place: LedgerPlace | null },
): AsyncGenerator<Group> {
  const toGroup = (batch: BatchHeader | null, older: BatchHeader | null): Group => ({
    id: batch?.id ?? null,
    from: older ? older.toAt.getTime() : null,
    to: batch ? batch.toAt.getTime() : null,
  })
  async function* batchesFrom(beside: string | null): AsyncGenerator<BatchHeader> {
    for (let last = beside; ;) {
      const batches = await listBatches(db, { beside: last, variantHash, dir, limit: batchesPerRead })
      yield* batches.filter(({ id }) => lastBatchId !== null && id <= lastBatchId)
      last = batches.at(-1)?.id ?? null
      if (batches.length < batchesPerRead) return
    }
  }
  const startId = place?.groupId ?? null
  const [older] = startId === null ? [] : await besides(startId, 'desc')
  const [start] = startId === null ? [] : await besides(older?.id ?? null, 'asc')
  async function besides(beside: string | null, direction: Direction): Promise<BatchHeader[]> {
    return listBatches(db, { beside, variantHash, dir: direction, limit: 1 })
  }
  if (dir === 'desc') {
    let newer: BatchHeader | null = start ?? null
    for await (const batch of batchesFrom(startId)) {
      yield toGroup(newer, batch)
      newer = batch
    }
    yield toGroup(newer, null)
    return
  }
  let previous: BatchHeader | null = older ?? null
  if (place === null || startId !== null) {
    if (start) {
      yield toGroup(start, previous)
      previous = start
    }
    for await (const batch of batchesFrom(startId)) {
      yield toGroup(batch, previous)
      previous = batch
    }
  } else {
    previous = (await besides(null, 'desc'))[0] ?? null
  }
  yield toGroup(null, previous)
}

async function* walkGroup(
  ctx: Reader,
  ledger: OpenLedger,
  group: Group,
  { dir, after }: { dir: Direction; after: PlacedChange | null },
): AsyncGenerator<PlacedChange> {
  const sign = dir === 'asc' ? 1 : -1
  const isBeyond = (change: PlacedChange): boolean =>
    after === null || sign * comparePlaces(change, after) > 0
  const placed = await placeSealed(ctx, ledger, group.id)
  const sealed = (dir === 'asc' ? placed : placed.toReversed()).filter(isBeyond)
  let i = 0
  for await (const plain of walkPlain(ctx, ledger, group, { dir, after })) {
    if (!isBeyond(plain)) continue
    for (let next = sealed[i]; next && sign * comparePlaces(next, plain) < 0; next = sealed[++i]) yield next
    yield plain
  }
  yield* sealed.slice(i)
}

/** The sealed changes of a group, oldest first. */
async function placeSealed(
  { db, keys }: Reader,
  { variantHash, inbox }: OpenLedger,
  groupId: string | null,
): Promise<PlacedChange[]> {
  if (groupId === null) return sortChanges(inbox)
  const rows = await listBatchRows(db, groupId, variantHash)
  return sortChanges(rows.map((row) => openLedgerRow(keys, row)))
}

const plainRowsPerRead = 100

/** The plain rows of a group's time, from the time of `after` on. */
async function* walkPlain(
  { db }: Reader,
  { variantId }: OpenLedger,
  group: Group,
  { dir, after }: { dir: Direction; after: PlacedChange | null },
): AsyncGenerator<PlacedChange> {
  const from = dir === 'asc' && after ? Math.max(after.placeMs, group.from ?? 0) : group.from
  const to = dir === 'desc' && after ? Math.min(after.placeMs + 1, group.to ?? Infinity) : group.to
  for (let last: string | null = null; ;) {
    const rows = await listPlainRows(db, { variantId, from, to, after: last, dir, limit: plainRowsPerRead })
    for (const row of rows) {
      const change = fromPlainRow(row)
      yield { ...change, placeMs: change.at }
    }
    last = rows.at(-1)?.id ?? null
    if (rows.length < plainRowsPerRead) return
  }
}

/** Where a row stands in this ledger; null when it is not in it. */
export async function findLedgerPlace(
  ctx: Reader,
  ledger: OpenLedger,
  id: string,
): Promise<LedgerPlace | null> {
  const isRow = (change: LedgerChange): boolean => change.id === id
  const plain = await findPlainRow(ctx.db, id)
  if (plain) {
    if (ledger.variantId !== null && plain.productVariantId !== ledger.variantId) return null
    const change = { ...fromPlainRow(plain), placeMs: plain.createdAt.getTime() }
    const { variantHash } = ledger
    const groupId = await findBatchOfTime(ctx.db, { time: plain.createdAt, variantHash })
    const { lastBatchId } = ledger
    return {
      change,
      groupId: groupId !== null && lastBatchId !== null && groupId <= lastBatchId ? groupId : null,
    }
  }
  const groupId = ledger.inbox.some(isRow) ? null : await findBatchOfRow(ctx.db, id)
  const change = (await placeSealed(ctx, ledger, groupId)).find(isRow)
  return change ? { change, groupId } : null
}
