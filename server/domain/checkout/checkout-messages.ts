/** The documented messages (specification, sections 5 and 8). */
export const checkoutMessages = {
  cannotStart: 'Failed to initialize checkout. Please try again.',
  choosePrescription: 'Please select a prescription for prescription items',
  noPrescription: 'You need to upload a prescription before ordering prescription medications.',
  paidWithoutOrder:
    'Payment was successful but there was an error creating your order. Please contact support.',
  missingAddress: 'Missing Shipping Information',
  cartChanged: 'Your cart has changed. Review it, then place your order.',
  signedOut: 'Login Required. Sign in again in another tab, then place your order here.',
  readPatientAlerts: 'Read the alerts for this person, then place your order.',
  readAlerts: 'Read the alerts about your items, then check “I have read this”.',
  accept: 'Confirm the changes to your order.',
  unavailable: 'Payment Processing Unavailable',
  failed: 'Payment Failed',
  expiresTooEarly: 'What we have in stock expires before this supply would be used up.',
} as const
