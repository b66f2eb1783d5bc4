import { findLabelChoices, listLabelChoices, saveLabelChoices } from '#db/dispensing/label-choices.ts'
import { noLabelChoices, type LabelChoices } from '#domain/dispensing/label-choices.ts'
import type { Context } from '../context.ts'
import { openLabelChoices, sealLabelChoices } from './sealed-label.ts'

/** The choices for a label with their version, 0 when nothing was recorded yet. */
export type VersionedChoices = { choices: LabelChoices; version: number }

/** What pharmacists recorded for the labels of an order, by line. Not audited. */
export async function readLabelChoices(
  ctx: Pick<Context, 'db' | 'keys'>,
  orderId: string,
): Promise<Map<string, LabelChoices>> {
  const rows = await listLabelChoices(ctx.db, orderId)
  return new Map(rows.map((row) => [row.lineId, openLabelChoices(ctx.keys, row)]))
}

/**
 * What pharmacists recorded for the label of a line. Not audited: the caller writes the audit row.
 */
export async function readChoicesOfLine(
  ctx: Pick<Context, 'db' | 'keys'>,
  lineId: string,
): Promise<VersionedChoices> {
  const row = await findLabelChoices(ctx.db, lineId)
  return row
    ? { choices: openLabelChoices(ctx.keys, row), version: row.version }
    : { choices: noLabelChoices, version: 0 }
}

/** Stores the choices for a label. Returns false when the stored row has another version. */
export const writeChoicesOfLine = (
  ctx: Pick<Context, 'db' | 'keys' | 'now'>,
  {
    orderId,
    lineId,
    choices,
    version,
    pharmacistId,
  }: VersionedChoices & { orderId: string; lineId: string; pharmacistId: string },
): Promise<boolean> =>
  saveLabelChoices(ctx.db, {
    lineId,
    orderId,
    sealedChoices: sealLabelChoices(ctx.keys, lineId, choices),
    version,
    updatedBy: pharmacistId,
    updatedAt: ctx.now,
  })
