import { listVariantNames } from '#db/inventory/admin-stock.ts'
import { listVariantsLots } from '#db/inventory/lots.ts'
import { listRecallHoldEvents, listRecallHolds } from '#db/recalls/recalled-stock.ts'
import { listNoticesOfRecall } from '#db/recalls/recall-notices.ts'
import { listCareLists } from '#db/screening/care-lists.ts'
import { listCodesOf, listRecalls } from '#db/screening/recalls.ts'
import { can } from '#domain/accounts/permissions.ts'
import { labelOfRow } from '#domain/catalog/form-label.ts'
import { hasNul } from '#domain/clean-text.ts'
import { AppError } from '#domain/errors.ts'
import type { LotStatus } from '#domain/inventory/lots.ts'
import type { HoldOutcome } from '#domain/screening/recall-hold.ts'
import { listUnnamedCodes, type RecallAction } from '#domain/screening/recorded-recall.ts'
import { recordedRecalls, toScope, type Recall } from '#domain/screening/recall.ts'
import { isOngoing, listsLot } from '#domain/screening/recall-outcome.ts'
import { formerStaff, getStaffNames } from '../accounts/get-staff-names.ts'
import type { Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { findOpenOrders, matchCatalog } from './find-recall-effects.ts'
import { readRecallEvents } from './recall-events.ts'
import { recallKeyOf } from './notify-customers.ts'
import { readRecalledLines, type RecalledLines } from './read-recalled-lines.ts'
import { readReached, type Reached } from './read-reached.ts'
import { openNotice } from './sealed-notice.ts'

export type EndedHold = {
  id: string
  name: string
  units: number
  outcome: HoldOutcome
  reason: string
  by: string
  at: string
}

/** Who recorded a recall with which source, or ended it for which reason. */
type RecallEvent = { by: string; at: string; note: string }

/** `affected` is null for an order that can’t be read. Earlier releases send none. */
type AffectedOrder = { orderId: string; affected?: RecalledLines | null }

export type RecallDetails = {
  recall: Recall
  listDate: string | null
  /** Who recorded it; null for a recall of a list. Missing in the data of an earlier release. */
  recorded?: (RecallEvent & { ended: RecallEvent | null }) | null
  /** Whether units in no lot may return to the stock. */
  hasEnded: boolean
  variants: { id: string; name: string; isDeleted?: boolean }[]
  /** The codes that a recorded recall leaves out. */
  unnamedCodes: string[]
  lots: { id: string; lotNumber: string; status: LotStatus; quantity: number }[]
  holds: { variantId: string; name: string; units: number }[]
  /** What became of held units, newest first. */
  endedHolds: EndedHold[]
  /**
   * Open orders that do not ship; null for staff who may not see what orders contain, and on later
   * pages of the notified customers: all open orders are decrypted for it.
   */
  open: (AffectedOrder & { lines: number })[] | null
  /** A page of the notified customers; null likewise. */
  notified: (AffectedOrder & { at: string; reached: Reached; hasAccount: boolean })[] | null
  /** Which of them the page has; null likewise. */
  notifiedPage: NotifiedPage | null
}

/** A page of notices. */
type NotifiedPage = {
  total: number
  /** How many are on earlier pages. */
  before: number
  /** How many of the page can't be decrypted, so their orders are not known. */
  unreadable: number
  /** After which notice the next page starts. */
  next: string | null
}

/** How many orders a page decrypts. */
const noticesPerPage = 100

/**
 * A recall with its packages, stock and orders. Reads of orders are audited. Throws
 * UNAUTHENTICATED, FORBIDDEN, NOT_FOUND.
 * @param after the notice to list notified customers after, as `next` of the page before
 */
export async function getRecall(ctx: Context, id: string, after = ''): Promise<RecallDetails> {
  const user = requirePermission(ctx, 'lists.read')
  // The id comes from an address.
  const [recall] = hasNul(id) ? [] : await listRecalls(ctx.db, { ids: [id] })
  if (!recall) throw new AppError('NOT_FOUND', 'Recall not found')
  const { recallsOf, deletedIds } = await matchCatalog(ctx, [recall])
  const ids = [...recallsOf.keys()]
  const holds = await listRecallHolds(ctx.db, id)
  const ended = await listRecallHoldEvents(ctx.db, id)
  const named = await listVariantNames(ctx.db, [
    ...ids,
    ...[...holds, ...ended].map(({ variantId }) => variantId),
  ])
  const events = recall.list === recordedRecalls ? await readRecallEvents(ctx, id) : null
  const staff = await getStaffNames(
    ctx,
    [...ended, ...(events?.values() ?? [])].map(({ actorId }) => actorId),
  )
  const findEvent = (action: RecallAction): RecallEvent | null => {
    const event = events?.get(action)
    if (!event) return null
    const note = event.note ?? 'This note can’t be decrypted.'
    return { by: staff.get(event.actorId) ?? formerStaff, at: event.at.toISOString(), note }
  }
  const recording = findEvent('recorded')
  const nameOf = (variantId: string): string => {
    const row = named.get(variantId)
    return row ? `${row.productName}, ${labelOfRow(row)}` : 'Deleted variant'
  }
  const scope = toScope(recall)
  const isForAll = recall.allLots && isOngoing(recall.status)
  const lots = (await listVariantsLots(ctx.db, ids)).filter(
    ({ lotNumber }) => isForAll || listsLot(scope, lotNumber),
  )
  const lists = await listCareLists(ctx.db)
  return {
    recall,
    listDate: lists.find(({ name }) => name === recall.list)?.listDate ?? null,
    recorded: recording && { ...recording, ended: findEvent('ended') },
    hasEnded: !isForAll,
    variants: ids.map((variantId) => ({
      id: variantId,
      name: nameOf(variantId),
      isDeleted: deletedIds.includes(variantId),
    })),
    unnamedCodes:
      events && isOngoing(recall.status)
        ? listUnnamedCodes(recall.codes, await listCodesOf(ctx.db, ids))
        : [],
    lots: lots.map(({ id: lotId, lotNumber, status, quantity }) => ({
      id: lotId,
      lotNumber,
      status,
      quantity,
    })),
    holds: holds.map(({ variantId, units }) => ({ variantId, units, name: nameOf(variantId) })),
    endedHolds: ended.map(({ id, variantId, units, outcome, reason, actorId, at }) => ({
      id,
      name: nameOf(variantId),
      units,
      outcome,
      reason,
      by: staff.get(actorId) ?? formerStaff,
      at: at.toISOString(),
    })),
    ...(can(user, 'orders.medicines')
      ? await listOrders(ctx, { id, recallsOf, after: hasNul(after) ? '' : after })
      : { open: null, notified: null, notifiedPage: null }),
  }
}

async function listOpen(ctx: Context, recallsOf: Parameters<typeof findOpenOrders>[1]) {
  const open = await findOpenOrders(ctx, recallsOf)
  const affected = await readRecalledLines(ctx, open)
  return open.map(({ orderId, lineIds }) => ({
    orderId,
    lines: lineIds.length,
    affected: affected.get(orderId) ?? null,
  }))
}

type OrdersPage = { id: string; recallsOf: Parameters<typeof findOpenOrders>[1]; after: string }

/** A page of the notified customers, with the open orders before the first. */
async function listOrders(ctx: Context, { id, recallsOf, after }: OrdersPage) {
  const notified = await listNotified(ctx, id, after)
  const isFirst = notified.notifiedPage.before === 0
  return { open: isFirst ? await listOpen(ctx, recallsOf) : null, ...notified }
}

async function listNotified(ctx: Context, recallId: string, after: string) {
  const recallKey = recallKeyOf(ctx.keys, recallId)
  const read = (start: string) =>
    listNoticesOfRecall(ctx.db, recallKey, { after: start, limit: noticesPerPage + 1 })
  const page = await read(after)
  // An old address may be after the last one, where no page is.
  const { rows: found, before, total } = page.rows.length === 0 && after !== '' ? await read('') : page
  const rows = found.slice(0, noticesPerPage)
  const next = found.length > noticesPerPage ? (rows.at(-1)?.id ?? null) : null
  const notices = rows.flatMap((row) => openNotice(ctx, row) ?? [])
  const affected = await readRecalledLines(ctx, notices)
  const reachedOf = await readReached(ctx, notices)
  const notified = notices.map((notice) => ({
    orderId: notice.orderId,
    at: notice.at,
    reached: reachedOf(notice),
    hasAccount: affected.has(notice.orderId),
    affected: affected.get(notice.orderId) ?? null,
  }))
  return { notified, notifiedPage: { total, before, unreadable: rows.length - notices.length, next } }
}
