import { AppError } from '#domain/errors.ts'
import { addYears, type RecordView } from '#domain/records/dispensing-record.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { openWithKey, type OpenedFile } from '../files/open-file.ts'
import { getSettings } from '../settings/get-settings.ts'
import { findRecord } from './find-record.ts'

/**
 * The record of an order whose customer deleted the account. The read is audited. Throws what
 * `findRecord` throws.
 */
export async function getRecord(ctx: Context, orderNumber: string): Promise<RecordView> {
  const { record, dispensedAt } = await findRecord(ctx, orderNumber)
  await recordRead(ctx, { action: 'record.read', subjectId: record.userId, objectId: record.orderId })
  const { prescription, file, otherPrescriptions, ...view } = record
  const { retentionYears } = await getSettings(ctx)
  return {
    ...view,
    prescriptions: [...(prescription ? [{ prescription, file }] : []), ...otherPrescriptions].map((one) => ({
      ...one.prescription,
      fileType: one.file?.contentType ?? null,
    })),
    retainedUntil: addYears(dispensedAt, retentionYears).toISOString(),
  }
}

/**
 * The file of a record's prescription: the order's, or another one by its id. The read is audited.
 * Throws what `findRecord` throws.
 */
export async function openRecordFile(
  ctx: Context,
  orderNumber: string,
  prescriptionId: string | null = null,
): Promise<OpenedFile> {
  const { record } = await findRecord(ctx, orderNumber)
  const other = record.otherPrescriptions.find(({ prescription }) => prescription.id === prescriptionId)
  const file = other ? other.file : record.file
  if (!file) throw new AppError('NOT_FOUND')
  await recordRead(ctx, { action: 'record.file-read', subjectId: record.userId, objectId: record.orderId })
  return openWithKey(ctx, file)
}
