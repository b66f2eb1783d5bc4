/**
 * The actions of the audit log, with the text that the affected user reads ("… viewed the
 * profile").
 */
export const auditActions = {
  'account.created': 'created the account',
  'account.deleted': 'deleted the account',
  'account.exported': 'downloaded all account data',
  'account.listed': 'viewed the name and email address in the account list',
  'account.suspended': 'suspended the account',
  'account.restored': 'restored the account',
  'sign-in.completed': 'signed in',
  'sign-in.password-refused': 'tried to sign in with a wrong password',
  'sign-in.code-refused': 'tried to sign in with a wrong two-step code',
  'sign-in.identity-refused': 'tried to sign in with an account of the sign-in provider that isn’t linked',
  'sign-in.locked': 'tried to sign in after too many failed attempts',
  'sign-in.suspended': 'tried to sign in while the account was suspended',
  'session.ended': 'signed out',
  'session.ended-elsewhere': 'signed out another browser',
  'sessions.ended': 'signed the account out of every browser',
  'password.refused': 'entered a wrong current password',
  'password.changed': 'changed the password',
  'password.reset': 'set a new password with the link we emailed',
  'email.changed': 'changed the email address',
  // Written until each change got an action of its own.
  'second-factor.changed': 'changed two-step sign-in',
  'second-factor.turned-on': 'turned on two-step sign-in',
  'second-factor.turned-off': 'turned off two-step sign-in',
  'second-factor.code-refused': 'entered a wrong two-step code',
  'recovery-codes.renewed': 'renewed the recovery codes',
  'role.changed': 'changed the account’s role',
  'access.refused': 'tried to open something that isn’t available to this account',
  'sign-ins.read': 'viewed the sign-in history',
  'settings.changed': 'changed the shop’s settings',
  'record.opened': 'opened the record',
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

/** The actions of the sign-in history: who got in, who did not, and what decides about it. */
export const signInActions = [
  'account.created',
  'account.suspended',
  'account.restored',
  'sign-in.completed',
  'sign-in.password-refused',
  'sign-in.code-refused',
  'sign-in.identity-refused',
  'sign-in.locked',
  'sign-in.suspended',
  'session.ended',
  'session.ended-elsewhere',
  'sessions.ended',
  'password.refused',
  'password.changed',
  'password.reset',
  'email.changed',
  'second-factor.changed',
  'second-factor.turned-on',
  'second-factor.turned-off',
  'second-factor.code-refused',
  'recovery-codes.renewed',
  'role.changed',
  'access.refused',
] as const satisfies readonly AuditAction[]

/** The actions of a person who was not signed in, so it is not known who they were. */
export const unknownActorActions: ReadonlySet<AuditAction> = new Set([
  'sign-in.password-refused',
  'sign-in.code-refused',
  'sign-in.identity-refused',
  'sign-in.locked',
  'sign-in.suspended',
  'password.changed',
  'password.reset',
])

/** The subject of attempts on an address without an account, by the address's blind index. */
export const unknownAddressSubject = (emailHash: string): string => `address:${emailHash}`

/** The subject of changes to the shop's own data, such as the catalog and the stock. */
export const shopSubjectId = 'shop'
