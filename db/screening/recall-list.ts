import { ongoingStatuses } from '#domain/screening/recall-outcome.ts'
import type { GridPage } from '#domain/grid.ts'
import { recordedRecalls, type Recall } from '#domain/screening/recall.ts'
import type { RecallQuery } from '#domain/screening/recall-list.ts'
import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'
import { countRows } from '../engine/count-rows.ts'
import { keysetPage } from '../engine/keyset.ts'
import { containsPattern } from '../engine/sql.ts'
import { shownClass } from './recalls.ts'

export type ListedRecall = Pick<
  Recall,
  'id' | 'recallClass' | 'status' | 'reported' | 'product' | 'allLots'
> & {
  /** How many lots the report names. */
  lots: number
}

/** Whether the catalog has a package of the recall `r`. */
export const isInCatalog = sql<boolean>`(r.list = ${sql.lit(recordedRecalls)} or exists (
  select 1 from care_recall_packages p join variant_identifiers i
    on i.kind = 'ndc-11' and i.value >= p.ndc and i.value < p.ndc || '~'
  where p.recall_id = r.id))`

/** A page of the recalls that have packages in the catalog. */
export function listCatalogRecalls(db: Db, query: RecallQuery): Promise<GridPage<ListedRecall>> {
  const pattern = containsPattern(query.q.toLowerCase())
  const matching = db
    .selectFrom('careRecalls as r')
    .where(isInCatalog)
    .$if(query.q !== '', (rows) =>
      rows.where(
        sql<boolean>`(lower(r.id) like ${pattern} escape '\\' or lower(r.product) like ${pattern} escape '\\')`,
      ),
    )
    .$if(query.show === 'ongoing', (rows) => rows.where('r.status', 'in', ongoingStatuses))
  return keysetPage(
    matching
      .select(['r.id', shownClass.as('recallClass'), 'r.status', 'r.reported', 'r.product', 'r.allLots'])
      .select(
        sql<number>`(select cast(count(*) as integer) from care_recall_lots l where l.recall_id = r.id)`.as(
          'lots',
        ),
      ),
    { by: sql`r.reported`, id: sql`r.id` },
    query,
    countRows(db, matching),
  )
}
