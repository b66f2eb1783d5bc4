import {
  listAllergyGroups,
  listAllergyLabels,
  listBoxedByApplication,
  listBoxedBySet,
  listClasses,
  listClassMembers,
  listInteractions,
  listLabelSafety,
  listRecalledLots,
  listRecallsOf,
  listShortagesOf,
  readListDates,
} from '#db/screening/facts.ts'
import { pipeline } from '#db/engine/sql.ts'
import type { FactKeys } from '#domain/screening/fact-keys.ts'
import type { RecallFact, ScreeningFacts } from '#domain/screening/facts.ts'
import { listNdcCodes, toLotKey } from '#domain/screening/recall-codes.ts'
import { recordedRecalls } from '#domain/screening/recall.ts'
import type { Context } from '../context.ts'

/**
 * The rows of the lists that concern a case, in one round trip. What a case has no keys for is not
 * asked.
 */
export async function findFacts({ db }: Pick<Context, 'db'>, keys: FactKeys): Promise<ScreeningFacts> {
  const codes = toCodes(keys)
  const hasAllergies = keys.allergyIngredients.length > 0
  const hasPackages = codes.size > 0
  const [
    interactions,
    classes,
    classMembers,
    allergyGroups,
    allergyLabels,
    labelSafety,
    boxedByApplication,
    boxedBySet,
    recalls,
    shortages,
    dates,
  ] = await pipeline(
    listInteractions(db, keys),
    listClasses(db, keys.ingredients),
    listClassMembers(db, keys.ingredients),
    hasAllergies ? listAllergyGroups(db, keys.allergyIngredients) : [],
    hasAllergies ? listAllergyLabels(db, keys.lineSubjects) : [],
    listLabelSafety(db, keys.labelSets),
    keys.applicationNumbers.length > 0 ? listBoxedByApplication(db, keys.applicationNumbers) : [],
    keys.lineSets.length > 0 ? listBoxedBySet(db, keys.lineSets) : [],
    hasPackages ? listRecallsOf(db, [...codes.keys()]) : [],
    listShortagesOf(db, { codes: [...codes.keys()], sets: keys.lineSets }),
    readListDates(db),
  )
  const lotKeys = keys.lots.map(toLotKey)
  const lotsOf = new Map<string, string[]>()
  if (lotKeys.length > 0 && recalls.length > 0) {
    const recallIds = recalls.map(({ id }) => id)
    for (const { recallId, lotKey } of await listRecalledLots(db, { recallIds, lotKeys }))
      lotsOf.set(recallId, [...(lotsOf.get(recallId) ?? []), lotKey])
  }
  return {
    listDates: Object.fromEntries(dates.map(({ name, listDate }) => [name, listDate])),
    interactions,
    classes,
    classMembers,
    allergyGroups,
    allergyLabels,
    labelSafety,
    boxedWarnings: [...boxedByApplication, ...boxedBySet],
    recalls: recalls.flatMap((row) =>
      (codes.get(row.code) ?? []).map((code): RecallFact => ({
        list: toRecallList(row.list),
        number: row.id,
        class: row.recallClass,
        status: row.status,
        reason: row.reason,
        date: row.reported,
        code,
        isForAllLots: row.allLots,
        listsAllLots: row.anyLot !== null && row.lotNote === null,
        lots: lotsOf.get(row.id) ?? [],
      })),
    ),
    shortages: shortages.map((row) => ({ ...row, ndc: codes.get(row.ndc)?.[0] ?? null })),
  }
}

/** The packages by the codes that lists name them by: their own, and their product's. */
function toCodes({ ndcs, shopCodes }: Pick<FactKeys, 'ndcs' | 'shopCodes'>): Map<string, string[]> {
  const codes = new Map(shopCodes.map((code) => [code, [code]]))
  for (const ndc of ndcs)
    for (const code of listNdcCodes(ndc)) codes.set(code, [...(codes.get(code) ?? []), ndc])
  return codes
}

const toRecallList = (name: string): RecallFact['list'] =>
  name === 'recalls' || name === recordedRecalls ? name : 'recalls-2023-2025-no-lots'
