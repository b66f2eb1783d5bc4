import { listPlainRowsOfVariants } from '#db/ledger/plain-rows.ts'
import { listInbox, listSealedRowsOfVariants } from '#db/ledger/sealed-rows.ts'
import { fromPlainRow, type LedgerChange } from '#domain/ledger/ledger.ts'
import type { Context } from '../context.ts'
import { hashVariant, openInboxRow, openLedgerRow } from './sealed-ledger.ts'

type Reader = Pick<Context, 'db' | 'keys'>

/** A variant's ledger. */
export type VariantChain = {
  /** In their sequence. */
  changes: LedgerChange[]
  /** The ids of rows that do not open, or are about another variant. */
  unreadable: string[]
  /** How many rows of the closed batches are about it. */
  sealedRows: number
}

/** The inbox's changes by variant, and its rows that do not open. */
export type OpenInbox = { changes: Map<string, LedgerChange[]>; unreadable: string[] }

/** Opens the inbox for `readVariantChains`, row by row, so that one bad row hides no other. */
export async function openInbox({ db, keys }: Reader): Promise<OpenInbox> {
  const inbox: OpenInbox = { changes: new Map(), unreadable: [] }
  for (const row of await listInbox(db)) {
    const content = openOrNull(() => openInboxRow(keys, row))
    if (!content) inbox.unreadable.push(row.id)
    for (const change of content?.changes ?? []) addTo(inbox.changes, change.variantId, change)
  }
  return inbox
}

/**
 * The whole ledger of some variants.
 * @param variantIds sorted, the next ones after `after`
 */
export async function readVariantChains(
  { db, keys }: Reader,
  inbox: OpenInbox,
  { after, variantIds }: { after: string; variantIds: readonly string[] },
): Promise<Map<string, VariantChain>> {
  const chains = new Map<string, VariantChain>(
    variantIds.map((id) => [
      id,
      { changes: [...(inbox.changes.get(id) ?? [])], unreadable: [], sealedRows: 0 },
    ]),
  )
  const last = variantIds.at(-1) ?? after
  for (const row of await listPlainRowsOfVariants(db, { after, last })) {
    chains.get(row.productVariantId)?.changes.push(fromPlainRow(row))
  }
  const idsByHash = new Map(variantIds.map((id) => [hashVariant(keys, id), id]))
  for (const row of await listSealedRowsOfVariants(db, [...idsByHash.keys()])) {
    const variantId = idsByHash.get(row.variantHash) ?? ''
    const chain = chains.get(variantId)
    if (!chain) continue
    chain.sealedRows++
    const change = openOrNull(() => openLedgerRow(keys, row))
    if (change?.variantId === variantId) chain.changes.push(change)
    else chain.unreadable.push(row.id)
  }
  for (const chain of chains.values()) chain.changes.sort((a, b) => a.sequence - b.sequence)
  return chains
}

function addTo(changes: Map<string, LedgerChange[]>, variantId: string, change: LedgerChange): void {
  const own = changes.get(variantId)
  if (own) own.push(change)
  else changes.set(variantId, [change])
}

function openOrNull<T>(open: () => T): T | null {
  try {
    return open()
  } catch {
    return null
  }
}
