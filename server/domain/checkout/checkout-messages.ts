/** The documented messages (specification, sections 5 and 8). */
export const checkoutMessages = {
  cannotStart: 'Failed to initialize checkout. Please try again.',
  choosePrescription: 'Please select a prescription for prescription items',
  noPrescription: 'You need to upload a prescription before ordering prescription medications.',
  paidWithoutOrder:
    'Payment was successful but there was an error creating your order. Please contact support.',
  missingAddress: 'Missing Shipping Information',
  cartChanged: 'Your cart has changed. Please look at it once more.',
  signedOut: 'Login Required. Please sign in again in another tab, then place the order here.',
  accept: 'Please confirm what has changed.',
  unavailable: 'Payment Processing Unavailable',
  failed: 'Payment Failed',
} as const
