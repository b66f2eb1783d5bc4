import type { SealedColumn } from '#db/crypto/sealed-values.ts'
import { bindings, type Binding } from './bindings.ts'

/** A sealed column by its current SQL names, and the binding of its texts. */
export type MasterKeyColumn = SealedColumn & { binding: Binding }

/**
 * Every column that is sealed under a master key. Columns sealed under a user's key are not listed:
 * rotation rewraps that key instead. A test fills a database and compares its columns with this
 * list.
 */
export const sealedColumns: readonly MasterKeyColumn[] = [
  { table: 'shop_keys', column: 'wrapped_key', row: 'id', binding: bindings.shopKey },
  { table: 'user_keys', column: 'wrapped_key', row: 'user_id', binding: bindings.userKey },
  { table: 'checkouts', column: 'sealed_frozen', row: 'id', binding: bindings.checkout },
  { table: 'orders', column: 'sealed_order', row: 'id', binding: bindings.order },
  { table: 'line_reviews', column: 'sealed_decision', row: 'line_id', binding: bindings.lineDecision },
  { table: 'order_notes', column: 'sealed_note', row: 'id', binding: bindings.orderNote },
  {
    table: 'label_choices',
    column: 'sealed_choices',
    row: 'line_id',
    binding: bindings.labelChoices,
  },
  { table: 'recall_events', column: 'sealed_note', row: 'id', binding: bindings.recallEvent },
  { table: 'recall_notices', column: 'sealed_notice', row: 'id', binding: bindings.recallNotice },
  { table: 'outbox', column: 'sealed_mail', row: 'id', binding: bindings.mail },
  { table: 'ledger_inbox', column: 'sealed_changes', row: 'id', binding: bindings.ledgerInbox },
  { table: 'ledger_rows', column: 'sealed_row', row: 'id', binding: bindings.ledgerRow },
  { table: 'ledger_batches', column: 'sealed_sums', row: 'id', binding: bindings.ledgerSums },
  { table: 'units_to_count', column: 'sealed_units', row: 'id', binding: bindings.unitsToCount },
  { table: 'contact_messages', column: 'sealed_name', row: 'id', binding: bindings.contactName },
  { table: 'contact_messages', column: 'sealed_email', row: 'id', binding: bindings.contactEmail },
  { table: 'contact_messages', column: 'sealed_message', row: 'id', binding: bindings.contactMessage },
  { table: 'webhook_endpoints', column: 'sealed_secret', row: 'id', binding: bindings.webhookSecret },
  { table: 'webhook_deliveries', column: 'sealed_payload', row: 'id', binding: bindings.webhookPayload },
]
