/**
 * The associated data of a sealed text. AES-GCM authenticates it as JSON, so a text that is moved
 * to another row or column does not open.
 */
export type AssociatedData = readonly [table: string, column: string, row: string]

/** The associated data of one kind of sealed text, by the row that holds it. */
export type Binding = (row: string) => AssociatedData

const bind =
  (table: string, column: string): Binding =>
  (row) => [table, column, row]

/**
 * Every kind of sealed text. Never change these names: stored texts are bound to them and would no
 * longer open. They are the table and column names of the day each kind was added. A table or
 * column that is renamed later keeps its binding.
 */
export const bindings = {
  shopKey: bind('shop_keys', 'wrapped_key'),
  userKey: bind('user_keys', 'wrapped_key'),
  userEmail: bind('users', 'sealed_email'),
  userName: bind('users', 'sealed_name'),
  userProfile: bind('users', 'sealed_profile'),
  patientRecord: bind('patients', 'sealed_record'),
  totpSecret: bind('users', 'sealed_totp_secret'),
  sessionDevice: bind('sessions', 'sealed_device'),
  oneTimeTokenDetail: bind('one_time_tokens', 'sealed_detail'),
  shippingAddress: bind('shipping_addresses', 'sealed_address'),
  fileKey: bind('files', 'wrapped_key'),
  prescriptionDetails: bind('prescriptions', 'sealed_details'),
  prescriptionQuestion: bind('prescription_questions', 'sealed_question'),
  prescriptionAnswer: bind('prescription_questions', 'sealed_answer'),
  prescriptionTranscription: bind('prescriptions', 'sealed_transcription'),
  prescriptionItem: bind('prescription_items', 'sealed_item'),
  fill: bind('fills', 'sealed_fill'),
  lineDecision: bind('line_reviews', 'sealed_decision'),
  caseDraft: bind('case_drafts', 'sealed_draft'),
  message: bind('messages', 'sealed_text'),
  checkout: bind('checkouts', 'sealed_frozen'),
  order: bind('orders', 'sealed_order'),
  orderNote: bind('order_notes', 'sealed_note'),
  labelChoices: bind('label_choices', 'sealed_choices'),
  alertDecision: bind('alert_decisions', 'sealed_decision'),
  recallNotice: bind('recall_notices', 'sealed_notice'),
  recallEvent: bind('recall_events', 'sealed_note'),
  recordKey: bind('record_keys', 'wrapped_key'),
  dispensingRecord: bind('dispensing_records', 'sealed_record'),
  mail: bind('outbox', 'sealed_mail'),
  accountCartLine: bind('account_cart_lines', 'sealed_line'),
  ledgerInbox: bind('ledger_inbox', 'sealed_changes'),
  ledgerRow: bind('ledger_rows', 'sealed_row'),
  ledgerSums: bind('ledger_batches', 'sealed_sums'),
  unitsToCount: bind('units_to_count', 'sealed_units'),
  contactName: bind('contact_messages', 'sealed_name'),
  contactEmail: bind('contact_messages', 'sealed_email'),
  contactMessage: bind('contact_messages', 'sealed_message'),
  auditDetail: bind('audit_details', 'sealed_detail'),
  webhookSecret: bind('webhook_endpoints', 'sealed_secret'),
  webhookPayload: bind('webhook_deliveries', 'sealed_payload'),
  signInCookie: () => ['cookies', 'sign-in', 'begun'],
} as const satisfies Record<string, Binding>
