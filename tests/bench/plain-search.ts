import type { Database as BetterSqlite } from 'better-sqlite3'
import type pg from 'pg'

/**
 * Full-text search as an engine has it, over the words that the shop's search knows of a product.
 * An index of its own, because the shop stores words in its own way.
 */
const textOf = (concatenated: (text: string) => string): string => `p.name || ' ' || coalesce(p.route, '')
  || ' ' || p.category
  || ' ' || coalesce((select ${concatenated('label')} from product_names where product_id = p.id), '')
  || ' ' || coalesce((
    select ${concatenated(`coalesce(v.brand_name, '') || ' ' || v.generic_name || ' ' || v.strength || ' '
      || v.strength_unit || ' ' || coalesce(v.label_strength, '') || ' ' || coalesce(v.dosage_form, '')
      || ' ' || coalesce(v.label_form, '') || ' ' || coalesce(m.name, '')`)}
    from product_variants v left join manufacturers m on m.id = v.manufacturer_id
    where v.product_id = p.id and v.deleted_at is null), '')`

/** In memory, for this connection. A row has the `rowid` of its product. */
export function indexInSqlite(database: BetterSqlite): void {
  database.exec(`
    pragma temp_store = memory;
    create virtual table temp.plain_search using fts5(words, content = '', prefix = '2 3 4');
    insert into plain_search (rowid, words)
      select p.rowid, ${textOf((text) => `group_concat(${text}, ' ')`)}
      from products p where p.deleted_at is null;
    insert into plain_search (plain_search) values ('optimize')`)
}

/** In a table of the same database, which is dropped when the raw server stops. */
export async function indexInPostgres(pool: pg.Pool): Promise<void> {
  await pool.query(`
    drop table if exists plain_search;
    create unlogged table plain_search as
      select p.id as product_id,
        to_tsvector('simple', ${textOf((text) => `string_agg(${text}, ' ')`)}) as words
      from products p where p.deleted_at is null;
    create index on plain_search using gin (words);
    analyze plain_search`)
}
