import type { LabelChoicesRow } from '#db/dispensing/label-choices.ts'
import { labelChoicesSchema, type LabelChoices } from '#domain/dispensing/label-choices.ts'
import { bindings } from '../crypto/bindings.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { seal, unseal } from '../crypto/sealing.ts'

/** @param keys the shop's keys, like those of the order */
export const sealLabelChoices = (keys: KeyRing, lineId: string, choices: LabelChoices): string =>
  seal(keys, bindings.labelChoices(lineId), JSON.stringify(labelChoicesSchema.parse(choices)))

export const openLabelChoices = (
  keys: KeyRing,
  { lineId, sealedChoices }: Pick<LabelChoicesRow, 'lineId' | 'sealedChoices'>,
): LabelChoices =>
  labelChoicesSchema.parse(JSON.parse(unseal(keys, bindings.labelChoices(lineId), sealedChoices)))
