import { PostgresAdapter, sql, type Kysely } from 'kysely'

/**
 * The open lists that orders are screened with (db/seed/care), and the ingredients of products. An
 * import of a newer file replaces the rows of its list. So no other table references these rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  const index = (table: string, ...columns: string[]): Promise<void> =>
    db.schema
      .createIndex(`${table}_by_${columns.join('_and_')}`)
      .on(table)
      .columns(columns)
      .execute()

  await db.schema
    .createTable('care_lists')
    .addColumn('name', text, (col) => col.primaryKey())
    .addColumn('title', text, (col) => col.notNull())
    .addColumn('source', text, (col) => col.notNull())
    .addColumn('license', text, (col) => col.notNull())
    // The day its content stands for; null when the file does not say.
    .addColumn('list_date', text)
    .addColumn('sha256', text, (col) => col.notNull())
    .addColumn('row_count', 'integer', (col) => col.notNull())
    .addColumn('imported_at', 'timestamptz', (col) => col.notNull())
    .execute()

  await db.schema
    .createTable('care_ingredient_names')
    .addColumn('country', text, (col) => col.notNull())
    .addColumn('name', text, (col) => col.notNull())
    .addColumn('ingredient', text, (col) => col.notNull())
    // The name's base moiety, by which products know it.
    .addColumn('moiety', text, (col) => col.notNull())
    // How many products of the country's directory have it.
    .addColumn('products', 'integer', (col) => col.notNull())
    .addPrimaryKeyConstraint('care_ingredient_names_key', ['country', 'name'])
    .execute()
  await index('care_ingredient_names', 'name')
  await index('care_ingredient_names', 'moiety')
  await index('care_ingredient_names', 'ingredient')

  await db.schema
    .createTable('care_ingredients')
    .addColumn('ingredient', text, (col) => col.primaryKey())
    .addColumn('unii', text)
    .addColumn('rxcui', text)
    .addColumn('atc_codes', text)
    .execute()

  await db.schema
    .createTable('care_classes')
    .addColumn('ingredient', text, (col) => col.notNull())
    .addColumn('system', text, (col) => col.notNull())
    // Empty but for ATC.
    .addColumn('code', text, (col) => col.notNull())
    .addColumn('name', text, (col) => col.notNull())
    .addColumn('source', text, (col) => col.notNull())
    .addPrimaryKeyConstraint('care_classes_key', ['ingredient', 'system', 'code', 'name'])
    .execute()

  await db.schema
    .createTable('care_brands')
    // The brand in upper case.
    .addColumn('brand_key', text, (col) => col.primaryKey())
    .addColumn('brand', text, (col) => col.notNull())
    .addColumn('ingredient', text, (col) => col.notNull())
    .execute()
  await index('care_brands', 'ingredient')

  await db.schema
    .createTable('care_interactions')
    // Made from list, subject, object and its kind: the same in every later edition of the list.
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('list', text, (col) => col.notNull().check(sql`list in ('ndfrt', 'label')`))
    .addColumn('subject', text, (col) => col.notNull())
    .addColumn('object', text, (col) => col.notNull())
    .addColumn('object_kind', text, (col) => col.notNull().check(sql`object_kind in ('ingredient', 'class')`))
    .addColumn('level', text, (col) =>
      col
        .notNull()
        .check(sql`level in ('critical', 'significant', 'contraindicated', 'boxed', 'interaction')`),
    )
    .addColumn('sentence', text)
    .addColumn('spl_set_id', text)
    .addColumn('effective', text)
    .execute()
  await index('care_interactions', 'subject')
  await index('care_interactions', 'object')

  await db.schema
    .createTable('care_class_members')
    .addColumn('class', text, (col) => col.notNull())
    .addColumn('ingredient', text, (col) => col.notNull())
    .addColumn('source', text, (col) => col.notNull())
    .addPrimaryKeyConstraint('care_class_members_key', ['class', 'ingredient'])
    .execute()
  await index('care_class_members', 'ingredient')

  await db.schema
    .createTable('care_allergy_groups')
    .addColumn('allergy_group', text, (col) => col.notNull())
    .addColumn('ingredient', text, (col) => col.notNull())
    .addColumn('source', text, (col) => col.notNull())
    .addPrimaryKeyConstraint('care_allergy_groups_key', ['allergy_group', 'ingredient'])
    .execute()
  await index('care_allergy_groups', 'ingredient')

  await db.schema
    .createTable('care_allergy_labels')
    .addColumn('ingredients', text, (col) => col.notNull())
    .addColumn('allergen_group', text, (col) => col.notNull())
    .addColumn('sentence', text, (col) => col.notNull())
    .addColumn('spl_set_id', text, (col) => col.notNull())
    .addColumn('effective', text, (col) => col.notNull())
    .addPrimaryKeyConstraint('care_allergy_labels_key', ['ingredients', 'allergen_group'])
    .execute()

  await db.schema
    .createTable('care_label_safety')
    .addColumn('ingredients', text, (col) => col.primaryKey())
    .addColumn('product_type', text, (col) => col.notNull())
    .addColumn('brand', text, (col) => col.notNull())
    .addColumn('application_number', text)
    .addColumn('spl_set_id', text, (col) => col.notNull())
    .addColumn('effective', text, (col) => col.notNull())
    .addColumn('snapshot', text, (col) => col.notNull())
    .addColumn('boxed_warning', text)
    .addColumn('contraindications', text)
    .addColumn('pregnancy_category', text)
    .addColumn('pregnancy_contraindicated', text)
    .addColumn('pregnancy_boxed', text)
    .addColumn('age_warning', text)
    .addColumn('elderly_warning', text)
    .addColumn('rems_mentioned', 'boolean', (col) => col.notNull())
    .addColumn('medication_guide', 'boolean', (col) => col.notNull())
    .addColumn('pediatric_use', text)
    .addColumn('geriatric_use', text)
    .execute()

  await db.schema
    .createTable('care_boxed_warnings')
    .addColumn('application_number', text, (col) => col.primaryKey())
    .addColumn('ingredients', text)
    .addColumn('has_boxed_warning', 'boolean', (col) => col.notNull())
    .addColumn('warning', text)
    .execute()
  await index('care_boxed_warnings', 'ingredients')

  await db.schema
    .createTable('care_equivalents')
    // The line of the file: an application has several rows, and no column tells them apart.
    .addColumn('line', 'integer', (col) => col.primaryKey())
    .addColumn('application_number', text, (col) => col.notNull())
    .addColumn('trade_name', text, (col) => col.notNull())
    .addColumn('active_ingredient', text, (col) => col.notNull())
    .addColumn('ingredients', text, (col) => col.notNull())
    .addColumn('form_route', text, (col) => col.notNull())
    .addColumn('strength', text)
    .addColumn('sponsor', text, (col) => col.notNull())
    .addColumn('approval_date', text)
    .addColumn('marketing_status', text, (col) => col.notNull())
    .addColumn('te_code', text)
    .addColumn('list_is_complete', 'boolean', (col) => col.notNull())
    .execute()
  await index('care_equivalents', 'application_number')
  await index('care_equivalents', 'ingredients')

  await db.schema
    .createTable('care_recalls')
    // The FDA's recall number; "product-" and the product's number in the list without lots.
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('list', text, (col) => col.notNull())
    .addColumn('event_id', text, (col) => col.notNull())
    .addColumn('recall_class', text, (col) => col.notNull().check(sql`recall_class in ('I', 'II', 'III')`))
    .addColumn('status', text, (col) => col.notNull())
    .addColumn('initiated', text)
    // When the FDA published it: reported, or classified in the later list.
    .addColumn('reported', text, (col) => col.notNull())
    .addColumn('terminated', text)
    .addColumn('firm', text, (col) => col.notNull())
    .addColumn('reason', text, (col) => col.notNull())
    .addColumn('product', text, (col) => col.notNull())
    .addColumn('all_lots', 'boolean', (col) => col.notNull())
    // What the report says of lots where none could be read.
    .addColumn('lot_note', text)
    .addColumn('distribution', text)
    .addColumn('ingredients', text)
    .execute()
  await index('care_recalls', 'list')

  await db.schema
    .createTable('care_recall_packages')
    .addColumn('recall_id', text, (col) => col.notNull().references('care_recalls.id').onDelete('cascade'))
    // Eleven digits of a package, or the nine of a product when the report names no package of it.
    .addColumn('ndc', text, (col) => col.notNull())
    .addPrimaryKeyConstraint('care_recall_packages_key', ['recall_id', 'ndc'])
    .execute()
  await index('care_recall_packages', 'ndc')

  await db.schema
    .createTable('care_recall_lots')
    .addColumn('recall_id', text, (col) => col.notNull().references('care_recalls.id').onDelete('cascade'))
    .addColumn('lot', text, (col) => col.notNull())
    // The lot in upper case, letters and digits only: makers and reports write dashes differently.
    .addColumn('lot_key', text, (col) => col.notNull())
    .addPrimaryKeyConstraint('care_recall_lots_key', ['recall_id', 'lot_key'])
    .execute()

  await db.schema
    .createTable('care_shortages')
    // The line of the file: a package may have several rows.
    .addColumn('line', 'integer', (col) => col.primaryKey())
    // Eleven digits.
    .addColumn('package_ndc', text, (col) => col.notNull())
    .addColumn('generic_name', text, (col) => col.notNull())
    .addColumn('ingredients', text, (col) => col.notNull())
    .addColumn('status', text, (col) => col.notNull())
    .addColumn('availability', text)
    .addColumn('reason', text)
    .addColumn('dosage_form', text)
    .addColumn('presentation', text, (col) => col.notNull())
    .addColumn('company', text, (col) => col.notNull())
    .addColumn('first_posted', text, (col) => col.notNull())
    .addColumn('updated', text, (col) => col.notNull())
    .addColumn('discontinued', text)
    .addColumn('note', text)
    .addColumn('therapeutic_category', text, (col) => col.notNull())
    .execute()
  await index('care_shortages', 'package_ndc')
  await index('care_shortages', 'ingredients')

  await db.schema
    .createTable('care_controlled_substances')
    .addColumn('ingredients', text, (col) => col.primaryKey())
    .addColumn('schedule', text, (col) => col.notNull())
    .addColumn('authority', text, (col) => col.notNull())
    .addColumn('label_evidence', text)
    .addColumn('note', text)
    .execute()

  await db.schema
    .createTable('care_import_rules')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('country', text, (col) => col.notNull())
    .addColumn('direction', text, (col) => col.notNull())
    .addColumn('applies_to', text, (col) => col.notNull())
    .addColumn('situation', text, (col) => col.notNull())
    .addColumn('rule', text, (col) => col.notNull())
    .addColumn('limit_value', 'integer')
    .addColumn('limit_unit', text)
    .addColumn('authority', text, (col) => col.notNull())
    .addColumn('source_title', text, (col) => col.notNull())
    .addColumn('source_date', text)
    .addColumn('how_read', text, (col) => col.notNull())
    .execute()

  await db.schema
    .createTable('care_postal_regions')
    .addColumn('country', text, (col) => col.notNull())
    .addColumn('prefix_from', text, (col) => col.notNull())
    .addColumn('prefix_to', text, (col) => col.notNull())
    .addColumn('region', text, (col) => col.notNull())
    .addPrimaryKeyConstraint('care_postal_regions_key', ['country', 'prefix_from'])
    .execute()

  await db.schema
    .createTable('product_ingredients')
    .addColumn('product_id', text, (col) => col.notNull().references('products.id').onDelete('cascade'))
    .addColumn('ingredient', text, (col) => col.notNull())
    .addPrimaryKeyConstraint('product_ingredients_key', ['product_id', 'ingredient'])
    .execute()
  await index('product_ingredients', 'ingredient')

  // What catalog managers decided about names that the lists do not have.
  await db.schema
    .createTable('shop_ingredient_names')
    // In upper case.
    .addColumn('name', text, (col) => col.primaryKey())
    // Null when no ingredient of the lists is in it.
    .addColumn('ingredient', text)
    .addColumn('updated_by', text, (col) => col.notNull())
    .addColumn('updated_at', 'timestamptz', (col) => col.notNull())
    .execute()

  // Names of a product's substances that no ingredient is known for.
  await db.schema
    .createTable('unknown_ingredient_names')
    .addColumn('product_id', text, (col) => col.notNull().references('products.id').onDelete('cascade'))
    // In upper case.
    .addColumn('name', text, (col) => col.notNull())
    .addPrimaryKeyConstraint('unknown_ingredient_names_key', ['product_id', 'name'])
    .execute()
  await index('unknown_ingredient_names', 'name')

  // The FDA application it is marketed under, as the NDC directory says ("ANDA018659").
  await db.schema.alterTable('product_variants').addColumn('application_number', text).execute()
}
