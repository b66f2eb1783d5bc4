import { listVariantNames } from '#db/inventory/admin-stock.ts'
import { listVariantsLots } from '#db/inventory/lots.ts'
import { endRecordedRecall, insertRecordedRecall } from '#db/recalls/recorded-recalls.ts'
import { insertRecallTasks, listCodesOf, listRecalls } from '#db/screening/recalls.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import { labelOfRow } from '#domain/catalog/form-label.ts'
import { hasNul } from '#domain/clean-text.ts'
import { utcDay } from '#domain/days.ts'
import { AppError } from '#domain/errors.ts'
import { isSame } from '#domain/is-same.ts'
import { listCodes, toLotKey } from '#domain/screening/recall-codes.ts'
import type { Recall } from '#domain/screening/recall.ts'
import { mayBeRange } from '#domain/screening/recalled-lots.ts'
import {
  listRecordedCodes,
  listUnnamedCodes,
  toRecordedRecall,
  type RecordRecall,
} from '#domain/screening/recorded-recall.ts'
import { createHash } from 'node:crypto'
import { requireRecentCode } from '../accounts/recent-code.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { retryWithKey } from '../retry-with-key.ts'
import { applyRecalls, type RecallResult } from './apply-recalls.ts'
import { matchCatalog } from './find-recall-effects.ts'
import { readNdcPackagesOnce, readPackages, type ReadNdcPackages } from './package-codes.ts'
import { hasRecallEvent, writeRecallEvent } from './recall-events.ts'
import { previewRecalls, type RecallsPreview } from './preview-recalls.ts'

/** As long as a column of the agency's lists. */
const maxProduct = 4000

const fieldError = (field: string, message: string): AppError =>
  new AppError('INVALID', undefined, { fields: { [field]: message } })

/** The recall that a form records. Throws INVALID (products, initiated). */
async function toRecall(
  ctx: Context,
  input: RecordRecall,
  readNdcPackages: ReadNdcPackages,
): Promise<Recall> {
  if (input.variantIds.length === 0) throw fieldError('products', 'Choose the recalled packages below.')
  if (input.initiated > utcDay(ctx.now))
    throw fieldError('initiated', 'The day of the recall can’t be in the future.')
  const named = await listVariantNames(ctx.db, input.variantIds)
  const names = input.variantIds.flatMap((id) => {
    const row = named.get(id)
    return row ? [`${row.productName}, ${labelOfRow(row)}`] : []
  })
  if (names.length < input.variantIds.length)
    throw fieldError('products', 'One of the packages no longer exists.')
  const chosen = await listCodesOf(ctx.db, input.variantIds)
  const codes = chosen.flatMap(({ id, ...own }) => listCodes({ variantId: id, ...own }))
  const packages = await readPackages(ctx, codes, readNdcPackages)
  return toRecordedRecall(input, {
    id: idOf(input),
    product: names.join('; ').slice(0, maxProduct),
    codes: listRecordedCodes(input.variantIds, packages),
  })
}

/**
 * The same for a form that is sent twice. A page that the browser shows again has the key of the
 * recall before, so other content is another recall. Short, because staff and customers read it.
 */
function idOf({ variantIds, printedLots: _printedLots, ...fields }: RecordRecall): string {
  const content = JSON.stringify([Object.entries(fields).toSorted(byName), variantIds.toSorted()])
  return `SHOP-${createHash('sha256').update(content).digest('hex').slice(0, 8).toUpperCase()}`
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1)

export type RecordPreview = {
  effects: RecallsPreview
  /** The lots as typed that none of the packages has or had. */
  unknownLots: string[]
  /** Those of them that may be ranges. They must be confirmed as printed. */
  unclearLots: string[]
  /** The codes of the packages that the recall leaves out. */
  unnamedCodes: string[]
  /** Names what the preview is of: another choice of packages or lots needs another preview. */
  fingerprint: string
}

/**
 * What a recall would do if it was recorded. Throws UNAUTHENTICATED, FORBIDDEN, INVALID (products,
 * initiated).
 */
export async function previewRecordedRecall(
  ctx: Context,
  input: RecordRecall,
  readNdcPackages = readNdcPackagesOnce(ctx),
): Promise<RecordPreview> {
  requirePermission(ctx, 'settings.write')
  const recall = await toRecall(ctx, input, readNdcPackages)
  const covered = [recall.codes.toSorted(), recall.allLots, recall.lots.map(toLotKey).toSorted()]
  const fingerprint = createHash('sha256').update(JSON.stringify(covered)).digest('base64url')
  const unknownLots = await findUnknownLots(ctx, recall, readNdcPackages)
  const unclearLots = unknownLots.filter(mayBeRange)
  const effects = await previewRecalls(ctx, [recall], readNdcPackages)
  const unnamedCodes = listUnnamedCodes(recall.codes, await listCodesOf(ctx.db, input.variantIds))
  return { effects, unknownLots, unclearLots, unnamedCodes, fingerprint }
}

/** A typing error finds no lot, and a lot that has not been received yet is not known either. */
async function findUnknownLots(
  ctx: Context,
  recall: Recall,
  readNdcPackages: ReadNdcPackages,
): Promise<string[]> {
  if (recall.lots.length === 0) return []
  const { recallsOf } = await matchCatalog(ctx, [recall], readNdcPackages)
  const received = await listVariantsLots(ctx.db, [...recallsOf.keys()])
  const keys = new Set(received.map(({ lotNumber }) => toLotKey(lotNumber)))
  return recall.lots.filter((lot) => !keys.has(toLotKey(lot)))
}

/** A range matches no lot. Throws INVALID (printedLots) unless what may be one is confirmed. */
async function requirePrinted(
  ctx: Context,
  recall: Recall,
  { printedLots, readNdcPackages }: Pick<RecordRecall, 'printedLots'> & { readNdcPackages: ReadNdcPackages },
): Promise<void> {
  const lots = recall.lots.filter((lot) => mayBeRange(lot) && !printedLots.includes(lot))
  const unconfirmed = await findUnknownLots(ctx, { ...recall, lots }, readNdcPackages)
  if (unconfirmed.length > 0)
    throw fieldError('printedLots', `Confirm that these are lots and not ranges: ${unconfirmed.join(', ')}.`)
}

type RecordedRecall = {
  id: string
  /** False when it was recorded before. */
  isNew: boolean
  /** What it did; null when it was recorded before, or not all could be done yet. */
  result: RecallResult | null
}

/**
 * Records a recall that no list has yet, then applies it as an import does. Equal requests with one
 * `requestKey` record one recall. What fails after it is recorded is logged, and the job `recalls`
 * does it again: an error would read as if nothing was recorded. Throws UNAUTHENTICATED, FORBIDDEN,
 * CODE_REQUIRED, INVALID (products, initiated, printedLots), and CONFLICT when the form's recall
 * has ended.
 */
export async function recordRecall(
  ctx: Context,
  input: RecordRecall,
  readNdcPackages = readNdcPackagesOnce(ctx),
): Promise<RecordedRecall> {
  const actor = requirePermission(ctx, 'settings.write')
  requireRecentCode(ctx)
  const recall = await toRecall(ctx, input, readNdcPackages)
  await requirePrinted(ctx, recall, { ...input, readNdcPackages })
  const { id } = recall
  const isNew = await inTransaction(ctx, async (ctx) => {
    if (!(await insertRecordedRecall(ctx.db, recall))) {
      await requireSameRecall(ctx, recall)
      return false
    }
    await writeRecallEvent(ctx, {
      recallId: id,
      action: 'recorded',
      note: input.reference,
      actorId: actor.id,
    })
    await insertRecallTasks(ctx.db, [id], ctx.now)
    await recordAudit(ctx, { action: 'recall.recorded', subjectId: shopSubjectId, objectId: id })
    return true
  })
  return { id, isNew, result: isNew ? await tryApply(ctx, id) : null }
}

/** A kept form must not read as recorded when its recall has ended, or the ID is another's. */
async function requireSameRecall({ db }: Pick<Context, 'db'>, recall: Recall): Promise<void> {
  const [stored] = await listRecalls(db, { ids: [recall.id] })
  if (!stored || stored.status !== recall.status)
    throw new AppError(
      'CONFLICT',
      'This recall was recorded and has ended. Open a new form to record it again.',
    )
  if (!isSame(contentOf(stored), contentOf(recall)))
    throw new AppError('CONFLICT', 'Another recall has this number. Open a new form to record this one.')
}

const contentOf = ({ firm, reason, initiated, allLots, lots }: Recall) => ({
  firm,
  reason,
  initiated,
  allLots,
  lots: lots.toSorted(),
})

async function tryApply(ctx: Context, id: string): Promise<RecallResult | null> {
  try {
    return await applyRecalls(ctx, [id])
  } catch (error) {
    ctx.log.error({ err: error, requestId: ctx.requestId, recallId: id }, 'recorded recall was not applied')
    return null
  }
}

type EndRecall = { id: string; reason: string; requestKey?: string | undefined }

/**
 * Ends a recall that staff recorded: its official entry arrived, or it was wrong. From then on it
 * has no effect. What it held stays held until staff release it. Calls with the same `requestKey`
 * end it once: those after the first return false. Throws UNAUTHENTICATED, FORBIDDEN,
 * CODE_REQUIRED, NOT_FOUND, and CONFLICT, also when the key belongs to another event.
 */
export async function endRecall(ctx: Context, { id, reason, requestKey }: EndRecall): Promise<boolean> {
  const actor = requirePermission(ctx, 'settings.write')
  requireRecentCode(ctx)
  if (hasNul(id)) throw new AppError('NOT_FOUND', 'Recall not found')
  const event = { recallId: id, action: 'ended', note: reason } as const
  return retryWithKey(requestKey, () =>
    inTransaction(ctx, async (ctx) => {
      // Concurrent submissions of one form wait here, and find what the first one wrote.
      const isEnding = await endRecordedRecall(ctx.db, { id, terminated: utcDay(ctx.now) })
      if (await hasRecallEvent(ctx, { requestKey, ...event })) return false
      if (!isEnding)
        throw new AppError('CONFLICT', 'This recall has ended, or it comes from a list. Reload the page.')
      await writeRecallEvent(ctx, { id: requestKey, ...event, actorId: actor.id })
      await recordAudit(ctx, { action: 'recall.ended', subjectId: shopSubjectId, objectId: id })
      return true
    }),
  )
}
