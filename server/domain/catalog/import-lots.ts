import { formatDay } from '../format-day.ts'
import { maxStock } from '../inventory/inventory.ts'
import {
  expiryDateField,
  farExpiryMessage,
  findNamedLot,
  isFarExpiry,
  lotNumberField,
  normalizeLotNumber,
} from '../inventory/lot-fields.ts'
import { lotStatusPhrases, type LotStatus } from '../inventory/lots.ts'
import type { ImportChanges, ImportField } from './csv-imports.ts'
import { fieldLabel, type ParsedRow } from './variant-row-values.ts'

/**
 * A line that names a lot counts the units of that lot. Several lines can be for one variant, each
 * for another lot.
 */

/** A lot as the check finds it. */
export type CurrentLot = { lotNumber: string; quantity: number; expiresOn: string; status: LotStatus }

/**
 * The lot that a line names among those of its variant, and the key of that lot among the lines of
 * a file.
 */
export function findLineLot(
  { variantId, lotNumber }: { variantId: string; lotNumber: string },
  lots: readonly CurrentLot[],
): { current: CurrentLot | null; key: string } {
  const current = findNamedLot(lots, lotNumberField.safeParse(lotNumber).data ?? '')
  return { current, key: `lot:${variantId} ${current?.lotNumber ?? normalizeLotNumber(lotNumber)}` }
}

const problem = (field: ImportField, message: string): string => `${fieldLabel(field)}: ${message}`

/** What a line does to its lot: the changes, or the problems. */
export function decideLotCount(
  row: ParsedRow,
  { current, today }: { current: CurrentLot | null; today: string },
): { changes: ImportChanges } | { problems: string[] } {
  const number = lotNumberField.safeParse(row.lotNumber)
  const expiry = expiryDateField.safeParse(row.expiryDate ?? null)
  const newNumber = normalizeLotNumber(number.data ?? '')
  const problems: string[] = []
  if (!number.success) problems.push(problem('lotNumber', number.error.issues[0]?.message ?? ''))
  else if (newNumber === '') problems.push(problem('lotNumber', 'Enter a lot number.'))
  if (!expiry.success) problems.push(problem('expiryDate', expiry.error.issues[0]?.message ?? ''))
  const after = /^\d{1,10}$/.test(row.stockQuantity ?? '') ? Number(row.stockQuantity) : null
  if (after === null || after > maxStock)
    problems.push(problem('stockQuantity', 'Enter how many units are in this lot.'))
  const expiresOn = expiry.data ?? current?.expiresOn ?? null
  if (current && current.status !== 'available')
    problems.push(problem('lotNumber', `This lot ${lotStatusPhrases[current.status]}.`))
  else if (current && expiresOn !== current.expiresOn)
    problems.push(
      problem('expiryDate', `This lot was received with the expiry date ${formatDay(current.expiresOn)}.`),
    )
  else if (expiry.success && expiresOn === null)
    problems.push(problem('expiryDate', 'Enter the expiry date of this lot.'))
  else if (!current && expiresOn !== null && isFarExpiry(expiresOn, today))
    problems.push(problem('expiryDate', farExpiryMessage(expiresOn)))
  const before = current?.quantity ?? 0
  if (expiresOn !== null && expiresOn < today && after !== null && after > before)
    problems.push(problem('expiryDate', 'This lot has expired.'))
  if (problems.length > 0 || after === null) return { problems }
  if (after === before) return { changes: {} }
  return {
    changes: {
      lotNumber: [current?.lotNumber ?? null, current?.lotNumber ?? newNumber],
      expiryDate: [current?.expiresOn ?? null, expiresOn],
      stockQuantity: [before, after],
    },
  }
}
