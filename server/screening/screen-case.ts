import { listScreenedVariants, type ScreenedVariantRow } from '#db/screening/facts.ts'
import type { Db } from '#db/engine/client.ts'
import { pipeline } from '#db/engine/sql.ts'
import { utcDay } from '#domain/days.ts'
import { formatStrengthText } from '#domain/dispensing/dose.ts'
import type { Screening } from '#domain/screening/alert.ts'
import { currentFills, type DispensedFill } from '#domain/screening/dispensed.ts'
import { toFactKeys } from '#domain/screening/fact-keys.ts'
import type { ScreenedLine } from '#domain/screening/line.ts'
import type { ScreenedMedication, ScreenedPatient } from '#domain/screening/patient.ts'
import { listShopCodes } from '#domain/screening/recall-codes.ts'
import { resolveIngredients, type IngredientSet } from '#domain/screening/product-ingredients.ts'
import type { ScreeningRule } from '#domain/screening/rules.ts'
import { screen } from '#domain/screening/screen.ts'
import type { Context } from '../context.ts'
import { findFacts } from './find-facts.ts'
import { loadIngredientIndex } from './ingredient-index.ts'
import { findExactName } from './medicine-names.ts'

/** A line of a cart, a checkout or an order, or the variant of a product page. */
export type LineToScreen = Pick<ScreenedLine, 'id' | 'name' | 'variantId' | 'itemId' | 'fill' | 'lots'>

export type CaseToScreen = {
  lines: readonly LineToScreen[]
  /** What the patient lists, and who they are. */
  patient: ScreenedPatient
  /** What the shop dispensed to them, and what is in their other orders. */
  dispensed: readonly DispensedFill[]
  /** What an admin turned down. */
  turnedDown: readonly ScreeningRule[]
}

/**
 * What the lists say about lines for a patient. Nothing is stored. Unrecorded: the caller, who
 * opened the patient's record, writes the audit row.
 */
export async function screenCase(
  ctx: Pick<Context, 'db' | 'now'>,
  { lines, patient, dispensed, turnedDown }: CaseToScreen,
): Promise<Screening> {
  const today = utcDay(ctx.now)
  const [variants, current] = await pipeline(
    listScreenedVariants(
      ctx.db,
      lines.map(({ variantId }) => variantId),
    ),
    toMedications(ctx, currentFills(dispensed, today)),
  )
  const known = { ...patient, medications: [...patient.medications, ...current] }
  const screened = toScreenedLines(lines, variants)
  const facts = await findFacts(ctx, toFactKeys(screened, known))
  return screen({ lines: screened, patient: known, today, turnedDown }, facts)
}

/** The lines with what the catalog knows of their variants. */
function toScreenedLines(
  lines: readonly LineToScreen[],
  rows: readonly ScreenedVariantRow[],
): ScreenedLine[] {
  const variants = new Map<string, { row: ScreenedVariantRow; ingredients: string[] }>()
  for (const row of rows) {
    const variant = variants.get(row.id) ?? { row, ingredients: [] }
    if (row.ingredient !== null) variant.ingredients.push(row.ingredient)
    variants.set(row.id, variant)
  }
  return lines.map((line) => {
    const variant = variants.get(line.variantId)
    const row = variant?.row
    return {
      ...line,
      ingredients: variant?.ingredients.toSorted() ?? [],
      isIncomplete: row === undefined || row.unknownName !== null,
      route: row?.route ?? null,
      strength: formatStrengthText(
        row?.labelStrength ?? [row?.strength, row?.strengthUnit].filter(Boolean).join(' '),
      ),
      ndc: row?.ndc ?? null,
      shopCodes: listShopCodes({
        variantId: line.variantId,
        din: row?.din ?? null,
        upc: row?.upc ?? null,
      }),
      applicationNumber: row?.applicationNumber ?? null,
    }
  })
}

/**
 * Dispensed fills as medications, with their ingredients by the names of the lists. A substance
 * that no list knows is a medication of its own, which is reported as not checked.
 */
async function toMedications(
  { db }: Pick<Context, 'db'>,
  fills: readonly DispensedFill[],
): Promise<ScreenedMedication[]> {
  if (fills.length === 0) return []
  const texts = fills.map(({ name, ingredients }) => ({ name, ingredients }))
  const index = await loadIngredientIndex(db, texts)
  const medications = fills.map(
    async ({ name, substances, itemId, route, strength, refillsFrom, isOrdered, ...fill }) => {
      const listed = await resolveFolded(
        { db },
        resolveIngredients({ name, ingredients: fill.ingredients }, index),
      )
      const { ingredients, unknownNames } =
        listed.unknownNames.length === 0 ? listed : ((await resolveSubstances(db, substances)) ?? listed)
      const source = isOrdered ? ('ordered' as const) : ('dispensed' as const)
      const medication = {
        name,
        ingredients,
        route,
        source,
        itemId,
        strength,
        ...(refillsFrom === null ? {} : { refillsFrom }),
      }
      const unchecked = ingredients.length === 0 ? [] : unknownNames
      return [
        medication,
        ...unchecked.map((unknown) => ({
          name: `${unknown.toLowerCase()} (in ${name})`,
          ingredients: [],
          route,
          source,
        })),
      ]
    },
  )
  return (await Promise.all(medications)).flat()
}

/**
 * The ingredients that a medicine's own name says: "Xanax 0.5 mg tablets" of a product without
 * listed ingredients. Null when the lists do not know all of the name.
 */
async function resolveSubstances(db: Db, substances: string): Promise<IngredientSet | null> {
  const text = { name: substances, ingredients: null }
  const set = resolveIngredients(text, await loadIngredientIndex(db, [text]))
  return set.unknownNames.length === 0 ? set : null
}

/**
 * Fills name their ingredients as search folds them: "omega 3 acid ethyl esters", or "advil" of a
 * product that an admin named. Such names are found as people type them.
 */
async function resolveFolded(
  ctx: Pick<Context, 'db'>,
  { ingredients, unknownNames }: IngredientSet,
): Promise<IngredientSet> {
  if (unknownNames.length === 0) return { ingredients, unknownNames }
  const found = await Promise.all(
    unknownNames.map(async (name) => ({ name, found: await findExactName(ctx, 'medications', name) })),
  )
  const meanings = found.flatMap((each) => each.found?.meanings ?? [])
  return {
    ingredients: [...new Set([...ingredients, ...meanings])].toSorted(),
    unknownNames: found.filter((each) => each.found === null).map(({ name }) => name),
  }
}
