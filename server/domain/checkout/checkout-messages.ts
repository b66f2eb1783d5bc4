/**
 * The documented messages (specification, sections 5 and 8). Imported as a namespace, so that the
 * browser loads only those it shows.
 */

export const cannotStart = 'Failed to initialize checkout. Please try again.'
export const choosePrescription = 'Please select a prescription for prescription items'
export const noPrescription = 'You need to upload a prescription before ordering prescription medications.'
export const paidWithoutOrder =
  'Payment was successful but there was an error creating your order. Please contact support.'
export const missingAddress = 'Missing Shipping Information'
export const cartChanged = 'Your cart has changed. Review it, then place your order.'
/** On the sign-in page, for a customer without scripts whose session ended in checkout. */
export const notPlaced = {
  kind: 'error',
  title: 'Your order hasn’t been placed',
  text: 'Sign in to continue.',
} as const
export const signedOut = 'Login Required. Sign in again in another tab, then place your order here.'
export const readPatientAlerts = 'Read the alerts for this person, then place your order.'
export const readAlerts = 'Read the alerts about your items, then check “I have read this”.'
export const accept = 'Confirm the changes to your order.'
export const unavailable = 'Payment Processing Unavailable'
export const failed = 'Payment Failed'
export const expiresTooEarly = 'Our stock of this item expires before you would use it up.'
export const expiresOnTheWay = 'Our stock of this item expires before it would arrive.'
