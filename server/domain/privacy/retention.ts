/** How long the rows of some tables stay, and what ends it. */
export type RetentionRule = {
  tables: readonly string[]
  /** After how many days, counted from `since`; null when no time alone ends it. */
  days: number | null
  since?: string
  why: string
}

/**
 * What is stored, for how long and why: every table of the database, once
 * (`tests/server/retention.test.ts`). A period here is the one that its job uses.
 */
export const retention = {
  endedLimits: { tables: ['rate_limits'], days: 0, since: 'the end of the window', why: 'counts requests' },
  endedSessions: { tables: ['sessions'], days: 0, since: 'the end of the session', why: 'sign-in' },
  lapsedTokens: { tables: ['one_time_tokens'], days: 0, since: 'the end of the link', why: 'mailed links' },
  oldDevices: { tables: ['known_devices'], days: 0, since: '180 days without a sign-in', why: 'sign-in' },
  recordAccesses: {
    tables: ['record_accesses'],
    days: 30,
    since: 'the end of the access',
    why: 'access to a patient’s record; the audit log keeps the reason',
  },
  visitorCarts: {
    tables: ['carts', 'cart_lines'],
    days: 30,
    since: 'the last change of a visitor’s cart',
    why: 'the browser has its own copy; an account’s cart stays with the account',
  },
  unpaidCheckouts: {
    tables: ['checkouts'],
    days: 7,
    since: 'the cancellation of the unpaid checkout',
    why: 'matches late payments; a paid checkout stays with its order',
  },
  caseDrafts: { tables: ['case_drafts'], days: 30, since: 'the last change', why: 'unfinished reviews' },
  uploads: {
    tables: ['upload_tickets'],
    days: 1,
    since: 'the expiry of the upload URL',
    why: 'finds uploaded files that were never registered',
  },
  csvImports: {
    tables: ['csv_imports', 'csv_import_rows', 'csv_import_keys'],
    days: 7,
    since: 'the upload',
    why: 'the preview and the refused rows',
  },
  listUploads: { tables: ['care_uploads'], days: 1, since: 'the upload', why: 'the preview of a list' },
  failedMailTexts: {
    tables: [],
    days: 90,
    since: 'the last attempt; only the text is deleted',
    why: 'staff can retry until then',
  },
  mail: {
    tables: ['outbox'],
    days: 2190,
    since: 'its creation; a sent email has no text',
    why: 'shows that notices of recalls were delivered, as long as distribution records (21 USC 360eee-1)',
  },
  contactMessages: {
    tables: ['contact_messages'],
    days: 730,
    since: 'the message',
    why: 'the support mailbox has a copy; this one settles a dispute',
  },
  paymentEvents: {
    tables: ['payment_events'],
    days: 400,
    since: 'its handling',
    why: 'a repeated event is handled once; disputes arrive within a year',
  },
  apiKeys: {
    tables: ['api_keys'],
    days: 90,
    since: 'the expiry or revocation',
    why: 'staff look up which key an audit row names',
  },
  webhookDeliveries: {
    tables: ['webhook_deliveries'],
    days: 30,
    since: 'the event',
    why: 'staff find what a receiver missed, and resend it',
  },
  clientAssets: {
    tables: ['client_assets'],
    days: 30,
    since: 'the last day of a release that has the asset',
    why: 'a page that stays open after a deploy requests its assets',
  },
  webhookEndpoints: { tables: ['webhook_endpoints'], days: null, why: 'until staff delete it' },
  records: {
    tables: ['dispensing_records', 'record_keys', 'record_files'],
    days: null,
    why: 'required by law; RECORD_RETENTION_YEARS or the setting, counted from shipping',
  },
  appendOnly: {
    tables: ['audit_log', 'audit_chain', 'audit_details', 'audit_checks', 'lot_events', 'settings_history'],
    days: null,
    why: 'who did what; never deleted, and chained: a missing row is a finding',
  },
  ledger: {
    tables: ['inventory_transactions', 'ledger_batches', 'ledger_rows'],
    days: null,
    why: 'the stock’s history; never deleted',
  },
  account: {
    tables: [
      'users',
      'user_keys',
      'recovery_codes',
      'person_tokens',
      'former_person_tokens',
      'account_cart_lines',
      'shipping_addresses',
      'patients',
      'prescriptions',
      'prescription_items',
      'prescription_questions',
      'files',
      'messages',
      'message_threads',
      'refill_reminders',
      'sent_reminders',
      'grid_settings',
      'grid_views',
      'pharmacist_licenses',
    ],
    days: null,
    why: 'part of the account; deleting it destroys them or their key',
  },
  orders: {
    tables: [
      'orders',
      'order_events',
      'order_notes',
      'order_day_sums',
      'fills',
      'line_reviews',
      'alert_decisions',
      'label_choices',
      'payment_holds',
      'refunds',
      'refund_lines',
      'recall_holds',
      'recall_notices',
    ],
    days: null,
    why: 'orders stay as accounting records; names and addresses leave with the account',
  },
  catalog: {
    tables: [
      'care_allergy_groups',
      'care_allergy_labels',
      'care_boxed_warnings',
      'care_brands',
      'care_class_members',
      'care_classes',
      'care_controlled_substances',
      'care_equivalents',
      'care_import_rules',
      'care_ingredient_names',
      'care_ingredients',
      'care_interactions',
      'care_label_safety',
      'care_lists',
      'care_postal_regions',
      'care_recall_lots',
      'care_recall_packages',
      'care_recalls',
      'care_shortages',
      'catalog_changes',
      'catalog_import',
      'catalog_rows',
      'catalog_seen',
      'catalog_touched',
      'manufacturers',
      'medicine_name_words',
      'medicine_names',
      'need_reviews',
      'page_versions',
      'pharmacies',
      'product_brands',
      'product_documents',
      'product_ingredients',
      'product_names',
      'product_pictures',
      'product_variants',
      'variant_moves',
      'products',
      'screening_row_reports',
      'search_words',
      'shop_ingredient_names',
      'stock_lots',
      'unknown_ingredient_names',
      'variant_identifiers',
    ],
    days: null,
    why: 'names no person; staff and imports replace it',
  },
  queues: {
    tables: [
      'audit_pending',
      'erasures',
      'ledger_inbox',
      'order_sum_changes',
      'orders_to_index',
      'picture_fetches',
      'recall_tasks',
      'units_to_count',
    ],
    days: null,
    why: 'pending work; its job deletes the row',
  },
  shop: {
    tables: ['alert_counts', 'prescription_numbers', 'runs', 'settings', 'shop_keys'],
    days: null,
    why: 'one row for each name',
  },
  demo: { tables: ['demo_payments', 'demo_refunds'], days: null, why: 'the demo’s payment provider' },
} as const satisfies Record<string, RetentionRule>

const dayMs = 24 * 3600_000

/** Rows from before this time have ended. */
export const endsBefore = ({ days }: { days: number }, now: Date): Date =>
  new Date(now.getTime() - days * dayMs)
