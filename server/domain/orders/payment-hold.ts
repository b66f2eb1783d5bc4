/**
 * `authorized → capturing | voiding` is one conditional transition that stores the amount before
 * the provider is called. `failed`: the provider refused the capture, or the authorization lapsed.
 */
export type PaymentHoldStatus = 'authorized' | 'capturing' | 'captured' | 'voiding' | 'voided' | 'failed'
