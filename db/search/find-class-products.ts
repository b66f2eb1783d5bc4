import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'
import { jsonRows } from '../engine/json-rows.ts'

type WantedClass = { system: string; code: string; name: string; routes: readonly string[] }

export type ClassProduct = {
  id: string
  /** The classes that it is in, as indexes of the wanted ones. */
  classes: number[]
  route: string | null
  dosageForms: string
}

/**
 * The products with an ingredient in one of these classes of the list `ingredient-classes`:
 * without a prescription first, then those with one ingredient, then by units sold. An ATC code
 * stands for all codes that begin with it. A product whose route is unknown counts for all routes.
 */
export async function findClassProducts(
  db: Db,
  wanted: readonly WantedClass[],
  { category, manufacturerId }: { category: string | null; manufacturerId: string | null },
): Promise<ClassProduct[]> {
  const classes = jsonRows(
    db,
    wanted.map(({ system, code, name, routes }, place) => ({
      place,
      system,
      code,
      until: `${code}~`,
      name,
      routes: routes.length === 0 ? '' : `,${routes.join(',')},`,
    })),
    { place: 'integer', system: 'text', code: 'text', until: 'text', name: 'text', routes: 'text' },
  )
  const { rows } = await sql<Omit<ClassProduct, 'classes'> & { place: number }>`
    with wanted as (select * from ${classes}),
    members as (
      select w.place, w.routes, c.ingredient from wanted w
        join care_classes c on c.system = w.system and c.code = '' and c.name = w.name where w.code = ''
      union
      select w.place, w.routes, c.ingredient from wanted w
        join care_classes c on c.system = w.system and c.code >= w.code and c.code < w.until where w.code <> ''
    )
    select distinct p.id, m.place, p.route, p.dosage_forms as "dosageForms", p.sales_order, p.variant_count, p.sort_name,
      case when p.category = 'OTC' then 0 else 1 end as prescribed,
      (select count(*) from product_ingredients other where other.product_id = p.id) > 1 as combined
    from members m
      join product_ingredients i on i.ingredient = m.ingredient
      join products p on p.id = i.product_id
    where p.deleted_at is null
      and (m.routes = '' or p.route is null or m.routes like '%,' || p.route || ',%')
      ${category === null ? sql`` : sql`and p.category = ${category}`}
      ${
        manufacturerId === null
          ? sql``
          : sql`and exists (select 1 from product_variants v
              where v.product_id = p.id and v.manufacturer_id = ${manufacturerId} and v.deleted_at is null)`
      }
    order by prescribed, combined, p.sales_order, p.variant_count desc, p.sort_name, p.id`.execute(db)
  const products = new Map<string, ClassProduct>()
  for (const { id, place, route, dosageForms } of rows) {
    const known = products.get(id)
    if (known) known.classes.push(place)
    else products.set(id, { id, classes: [place], route, dosageForms })
  }
  return [...products.values()]
}
