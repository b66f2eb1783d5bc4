import type { ListedProduct } from '#domain/screening/equivalents.ts'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'

const listedProducts = prepareQuery((db, p: Params<{ applications: string }>) =>
  db
    .selectFrom('careEquivalents')
    .select((row) => [
      'applicationNumber',
      'activeIngredient',
      'formRoute',
      'strength',
      'marketingStatus',
      'teCode',
      'listIsComplete',
      row
        .selectFrom('careLists')
        .select('listDate')
        .where('name', '=', 'therapeutic-equivalence')
        .as('listDate'),
    ])
    .where(isOneOf(db, 'application_number', p.applications))
    .orderBy('line'),
)

type EquivalentsRow = ListedProduct & { listIsComplete: boolean; listDate: string | null }

/** What the list of equivalents says about these applications. */
export const listEquivalentsRows = (db: Db, applications: readonly string[]): Promise<EquivalentsRow[]> =>
  listedProducts(db, { applications: JSON.stringify(applications) })
