/**
 * The associated data of an encrypted text: AES-GCM authenticates it as JSON, so the text opens nowhere else. Two rows or
 * two columns cannot swap their values.
 */
export type AssociatedData = readonly [table: string, column: string, row: string]

/** What one kind of encrypted text is bound to, by the row that holds it. */
export type Binding = (row: string) => AssociatedData

const bind =
  (table: string, column: string): Binding =>
  (row) => [table, column, row]

/**
 * Every kind of encrypted text. Never change these names: everything stored is bound to them, and would not open again. They
 * are the tables and columns of the day each was added; a table or column that is renamed keeps its binding.
 */
export const bindings = {
  shopKey: bind('shop_keys', 'wrapped_key'),
  userKey: bind('user_keys', 'wrapped_key'),
  userEmail: bind('users', 'sealed_email'),
  userName: bind('users', 'sealed_name'),
  userProfile: bind('users', 'sealed_profile'),
  totpSecret: bind('users', 'sealed_totp_secret'),
  sessionDevice: bind('sessions', 'sealed_device'),
  oneTimeTokenDetail: bind('one_time_tokens', 'sealed_detail'),
  shippingAddress: bind('shipping_addresses', 'sealed_address'),
  fileKey: bind('files', 'wrapped_key'),
  prescriptionDetails: bind('prescriptions', 'sealed_details'),
  prescriptionQuestion: bind('prescription_questions', 'sealed_question'),
  prescriptionAnswer: bind('prescription_questions', 'sealed_answer'),
  checkout: bind('checkouts', 'sealed_frozen'),
  order: bind('orders', 'sealed_order'),
  orderNote: bind('order_notes', 'sealed_note'),
  mail: bind('outbox', 'sealed_mail'),
  contactName: bind('contact_messages', 'sealed_name'),
  contactEmail: bind('contact_messages', 'sealed_email'),
  contactMessage: bind('contact_messages', 'sealed_message'),
  signInCookie: () => ['cookies', 'sign-in', 'begun'],
} as const satisfies Record<string, Binding>
