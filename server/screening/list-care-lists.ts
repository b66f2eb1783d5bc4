import { listCareLists as listStored } from '#db/screening/care-lists.ts'
import { countUnknownNames } from '#db/screening/ingredient-names.ts'
import { ageInDays, careListNames, isEnded, isOutdated } from '#domain/screening/care-lists.ts'
import type { Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { getSettings } from '../settings/get-settings.ts'

/** A current list as the back office shows it. */
export type CareListView = {
  name: string
  title: string
  source: string
  license: string
  listDate: string | null
  rowCount: number
  importedAt: Date
  ageInDays: number
  isOutdated: boolean
  /** Whether its publisher has stopped it. */
  isEnded: boolean
}

/** The lists that orders are screened with. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function listCareLists(ctx: Context): Promise<{
  lists: CareListView[]
  /** Lists that were never imported. */
  missing: string[]
  unknownNames: number
  maxAgeDays: number
}> {
  requirePermission(ctx, 'lists.read')
  const [stored, unknownNames, { careListMaxAgeDays }] = await Promise.all([
    listStored(ctx.db),
    countUnknownNames(ctx.db),
    getSettings(ctx),
  ])
  const byName = new Map(stored.map((list) => [list.name, list]))
  return {
    lists: careListNames.flatMap((name) => {
      const list = byName.get(name)
      if (!list) return []
      const { sha256: _, ...shown } = list
      return [
        {
          ...shown,
          ageInDays: ageInDays(list, ctx.now),
          isOutdated: isOutdated(list, careListMaxAgeDays, ctx.now),
          isEnded: isEnded(name),
        },
      ]
    }),
    missing: careListNames.filter((name) => !byName.has(name)),
    unknownNames,
    maxAgeDays: careListMaxAgeDays,
  }
}

/** How many lists admins should renew; for the dashboard. */
export async function countOutdatedLists(ctx: Pick<Context, 'db' | 'now' | 'shop'>): Promise<number> {
  const [stored, { careListMaxAgeDays }] = await Promise.all([listStored(ctx.db), getSettings(ctx)])
  return stored.filter((list) => isOutdated(list, careListMaxAgeDays, ctx.now)).length
}
