import { listLabelChoices, type LabelChoicesRow } from '#db/dispensing/label-choices.ts'
import { labelChoicesSchema, type LabelChoices } from '#domain/dispensing/label-choices.ts'
import type { Context } from '../context.ts'
import { bindings } from '../crypto/bindings.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { seal, unseal } from '../crypto/sealing.ts'

/** @param keys the shop's keys, like those of the order */
export const sealLabelChoices = (keys: KeyRing, lineId: string, choices: LabelChoices): string =>
  seal(keys, bindings.labelChoices(lineId), JSON.stringify(choices))

export const openLabelChoices = (
  keys: KeyRing,
  { lineId, sealedChoices }: Pick<LabelChoicesRow, 'lineId' | 'sealedChoices'>,
): LabelChoices =>
  labelChoicesSchema.parse(JSON.parse(unseal(keys, bindings.labelChoices(lineId), sealedChoices)))

/** What pharmacists recorded for the labels of an order, by line: for its record and its owner. */
export async function readLabelChoices(
  ctx: Pick<Context, 'db' | 'keys'>,
  orderId: string,
): Promise<Map<string, LabelChoices>> {
  const rows = await listLabelChoices(ctx.db, orderId)
  return new Map(rows.map((row) => [row.lineId, openLabelChoices(ctx.keys, row)]))
}
