import { findRecords } from '#db/records/dispensing-records.ts'
import { AppError } from '#domain/errors.ts'
import {
  orderNumberPattern,
  recordMessages,
  type DispensingRecord,
} from '#domain/records/dispensing-record.ts'
import type { Context } from '../context.ts'
import { openRetentionKey } from '../crypto/retention-key.ts'
import { requirePermission } from '../require-user.ts'
import { openRecord } from './sealed-record.ts'

/**
 * The record of an order by its number or the end of it. The caller writes the audit row. Throws
 * UNAUTHENTICATED, FORBIDDEN, INVALID (order) for what is no order number or not a single one, and
 * NOT_FOUND.
 */
export async function findRecord(
  ctx: Context,
  orderNumber: string,
): Promise<{ record: DispensingRecord; dispensedAt: Date }> {
  requirePermission(ctx, 'records.read')
  const ending = orderNumber.trim().toLowerCase()
  if (!orderNumberPattern.test(ending)) throw invalid(recordMessages.invalid)
  const [row, other] = await findRecords(ctx.db, ending)
  if (!row) throw new AppError('NOT_FOUND', recordMessages.missing)
  if (other) throw invalid(recordMessages.ambiguous)
  return { record: openRecord(await openRetentionKey(ctx), row), dispensedAt: row.dispensedAt }
}

const invalid = (message: string): AppError =>
  new AppError('INVALID', message, { fields: { order: message } })
