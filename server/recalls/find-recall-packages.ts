import { listVariantChoices } from '#db/inventory/admin-stock.ts'
import { listCodesOf } from '#db/screening/recalls.ts'
import { labelOfRow } from '#domain/catalog/form-label.ts'
import { listNdc11Forms, parseIdentifier } from '#domain/catalog/identifiers.ts'
import { recordBounds } from '#domain/screening/recorded-recall.ts'
import { rankAdminVariants } from '../catalog/find-admin-catalog.ts'
import type { Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { readNdcPackagesOnce, type ReadNdcPackages } from './package-codes.ts'

/** A package that a recall may name, and whether it does. */
export type PackageChoice = {
  id: string
  name: string
  /** The manufacturer and the codes, as far as they are known. */
  details: string[]
  stockQuantity: number
  isTracked: boolean
  isChosen: boolean
}

export type FoundPackages = {
  choices: PackageChoice[]
  /** The lines that find no package. */
  missing: string[]
  /** The lines that have no chosen package of their own. */
  unchosen: string[]
  /** Whether the lines find more packages than fit. */
  isCut: boolean
  /** The packages that are listed without a line. */
  carried: readonly string[]
}

type Search = {
  /** A code or a name on each line. */
  text: string
  /** The packages of a recall that is recorded again. They need no line. */
  carried?: readonly string[]
  /** The packages that the form listed, and those of them that were chosen. */
  shown: readonly string[]
  chosen: readonly string[]
}

/**
 * The packages that the lines of a text find, each by a code or by a name. Those of a code are
 * chosen when they are first shown: a name may find others too. Throws UNAUTHENTICATED, FORBIDDEN.
 */
export async function findRecallPackages(
  ctx: Context,
  { text, carried = [], shown, chosen }: Search,
  readNdcPackages = readNdcPackagesOnce(ctx),
): Promise<FoundPackages> {
  requirePermission(ctx, 'settings.write')
  const lines = [...new Set(text.split('\n').map((line) => line.trim()))].filter(Boolean)
  const found = new Map(carried.filter((id) => chosen.includes(id)).map((id) => [id, false]))
  const idsOf = new Map<string, readonly string[]>()
  for (const line of lines.slice(0, recordBounds.lines)) {
    const ids = await withSameNdc(ctx, line, readNdcPackages)
    idsOf.set(line, ids)
    const isCode = parseIdentifier(line)?.isCertain ?? false
    for (const id of ids) found.set(id, isCode || (found.get(id) ?? false))
  }
  const isCut = lines.length > recordBounds.lines || found.size > recordBounds.packages
  // Those that the recall did not cover are only offered, so they make way for found ones.
  for (const id of carried) if (!found.has(id)) found.set(id, false)
  const rows = await listVariantChoices(ctx.db, [...found.keys()].slice(0, recordBounds.packages))
  const choices = rows.map((row) => ({
    id: row.id,
    name: `${row.productName}, ${labelOfRow(row)}`,
    details: detailsOf(row),
    stockQuantity: row.stockQuantity,
    isTracked: row.trackInventory,
    isChosen: shown.includes(row.id) ? chosen.includes(row.id) : (found.get(row.id) ?? false),
  }))
  const isChosen = new Set(choices.flatMap((choice) => (choice.isChosen ? choice.id : [])))
  const searched = [...idsOf]
  return {
    choices,
    missing: searched.flatMap(([line, ids]) => (ids.length === 0 ? line : [])),
    unchosen: listUnchosen(
      searched.filter(([, ids]) => ids.length > 0),
      isChosen,
    ),
    carried,
    isCut,
  }
}

type SearchedLine = readonly [line: string, ids: readonly string[]]

/**
 * The lines that have no chosen package of their own. Without that rule, a code of one ibuprofen
 * would pass the line of another. A line of which all packages are chosen overlooks none, so it
 * passes even where other lines find the same ones.
 */
function listUnchosen(lines: readonly SearchedLine[], isChosen: ReadonlySet<string>): string[] {
  const holders = new Map<string, SearchedLine>()
  /** Gives the line a chosen package, by moving other lines to other packages where they can. */
  const take = (line: SearchedLine, tried: Set<string>): boolean =>
    line[1].some((id) => {
      if (!isChosen.has(id) || tried.has(id)) return false
      tried.add(id)
      const holder = holders.get(id)
      if (holder && !take(holder, tried)) return false
      holders.set(id, line)
      return true
    })
  const isFull = ([, ids]: SearchedLine): boolean => ids.every((id) => isChosen.has(id))
  const fullFirst = lines.toSorted((a, b) => Number(isFull(b)) - Number(isFull(a)))
  const unchosen = new Set(fullFirst.filter((line) => !take(line, new Set()) && !isFull(line)))
  return lines.flatMap((line) => (unchosen.has(line) ? line[0] : []))
}

/**
 * What a line finds, and the packages with the same NDC in another form. A search stops at the
 * first form, but a recall is of all of them.
 */
async function withSameNdc(
  { db }: Pick<Context, 'db'>,
  line: string,
  readNdcPackages: ReadNdcPackages,
): Promise<string[]> {
  const ids = await rankAdminVariants(db, line)
  const found = (await listCodesOf(db, ids)).flatMap(({ ndc }) => ndc ?? [])
  const ndcs = new Set([line, ...found].flatMap(listNdc11Forms))
  if (ndcs.size === 0) return ids
  const same = (await readNdcPackages()).flatMap(({ id, ndc, deletedAt }) =>
    deletedAt === null && listNdc11Forms(ndc ?? '').some((form) => ndcs.has(form)) ? id : [],
  )
  return [...new Set([...ids, ...same])]
}

const detailsOf = ({ manufacturerName, ndc, din, upc }: Details): string[] =>
  [manufacturerName, ndc && `NDC ${ndc}`, din && `DIN ${din}`, upc && `UPC ${upc}`].flatMap(
    (detail) => detail || [],
  )

type Details = Record<'manufacturerName' | 'ndc' | 'din' | 'upc', string | null>
