import type { SealedColumn } from '#db/crypto/sealed-values.ts'

/**
 * Every column that is sealed under a master key. What is sealed under a user's key is not among them: with that key's own wrapping it
 * is under the new master key too. A test fills a database and holds this table against it.
 */
export const sealedPlaces: readonly SealedColumn[] = [
  { table: 'shop_keys', column: 'wrapped_key', row: 'id' },
  { table: 'user_keys', column: 'wrapped_key', row: 'user_id' },
  { table: 'checkouts', column: 'sealed_frozen', row: 'id' },
  { table: 'orders', column: 'sealed_order', row: 'id' },
  { table: 'order_notes', column: 'sealed_note', row: 'id' },
  { table: 'outbox', column: 'sealed_mail', row: 'id' },
  { table: 'contact_messages', column: 'sealed_name', row: 'id' },
  { table: 'contact_messages', column: 'sealed_email', row: 'id' },
  { table: 'contact_messages', column: 'sealed_message', row: 'id' },
]
