/**
 * The actions of the audit log, with the text that the affected user reads ("… viewed the
 * profile").
 */
export const auditActions = {
  'account.created': 'created the account',
  'account.deleted': 'deleted the account',
  'account.exported': 'downloaded all account data',
  'account.listed': 'viewed the name and email address in the account list',
  'password.changed': 'changed the password',
  'email.changed': 'changed the email address',
  'second-factor.changed': 'changed two-step sign-in',
  'role.changed': 'changed the account’s role',
  'profile.read': 'viewed the profile',
  'profile.updated': 'changed the profile',
  'addresses.read': 'viewed the saved addresses',
  'id-document.read': 'opened the ID document',
  'id-document.replaced': 'uploaded an ID document',
  'prescriptions.read': 'viewed the list of prescriptions',
  'prescription.read': 'viewed a prescription',
  'prescription.created': 'uploaded a prescription',
  'prescription.question-asked': 'asked a question about a prescription',
  'prescription.question-answered': 'answered a question about a prescription',
  'prescription.decided': 'reviewed a prescription',
  'prescription.deleted': 'deleted a prescription',
  'prescription.file-read': 'opened a prescription’s file',
  'orders.read': 'viewed the list of orders',
  'order.read': 'viewed an order',
  'order.placed': 'placed an order',
  'order.changed': 'changed the status of an order',
  'order.cancelled': 'cancelled an order',
  'order.noted': 'added a note to an order',
  'payment.refund-begun': 'started a refund',
  'payment.refunded': 'refunded a payment',
  'audit.read': 'viewed this list',
  'stock.adjusted': 'changed the stock of a variant',
  'product.created': 'added a product',
  'product.updated': 'changed a product',
  'product.deleted': 'deleted a product',
  'variant.created': 'added a variant',
  'variant.updated': 'changed a variant',
  'variants.imported': 'imported a file of variants',
  'manufacturer.created': 'added a manufacturer',
  'manufacturer.updated': 'changed a manufacturer',
  'manufacturer.deleted': 'deleted a manufacturer',
  'pharmacy.created': 'added a pharmacy',
  'pharmacy.updated': 'changed a pharmacy',
} as const satisfies Record<string, string>

export type AuditAction = keyof typeof auditActions

/** The subject of changes to the shop's own data, such as the catalog and the stock. */
export const shopSubjectId = 'shop'
