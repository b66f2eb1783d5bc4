import { withQuery } from './build-path.ts'

/**
 * URLs that no code of a browser needs: links of emails and loaders, and addresses that others
 * call.
 */
export const serverPaths = {
  confirmEmailWith: (token: string) => withQuery('/confirm-email', { token }),
  confirmNewEmailWith: (token: string) => withQuery('/account/confirm-new-email', { token }),
  resetPasswordWith: (token: string) => withQuery('/reset-password', { token }),
  stopReminders: (token: string) => withQuery('/refill-reminders/stop', { token }),
  contactAbout: (orderRef: string) => withQuery('/contact', { order: orderRef }),
  checkoutFor: (patientId: string) => withQuery('/checkout', { for: patientId }),
  profileForCheckout: '/profile?from=checkout',
  idDocumentSectionForCheckout: '/profile?from=checkout#id-document-verification',
  loginCallback: '/login/callback',
  demoOutbox: '/demo/outbox',
  stripeWebhook: '/webhooks/stripe',
  /** `/img/p/{id}.{jpg|png}`, see catalog/product-pictures.ts. */
  productPictures: '/img/p',
}
