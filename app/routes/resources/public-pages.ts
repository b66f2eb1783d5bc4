import { adminPaths } from '#domain/admin-paths.ts'
import { paths } from '#domain/paths.ts'
/**
 * The public pages that search engines should index, without products: listed in the sitemap and
 * visited by tests.
 */
export const publicPages = [
  '/',
  paths.products,
  paths.productSearch({ category: 'Rx' }),
  paths.productSearch({ category: 'OTC' }),
  paths.brands,
  paths.contact,
  paths.faq,
  paths.shipping,
  paths.privacy,
  paths.terms,
  paths.hipaa,
  paths.howWeCheck,
  paths.about,
  paths.careers,
  paths.blog,
] as const

/**
 * Paths that crawlers must not fetch: the API, personal pages and the back office. Each covers
 * every path that starts with it.
 */
export const privatePaths = [
  '/api/',
  '/trpc',
  '/search/',
  paths.cart,
  paths.checkout,
  paths.orderConfirmation,
  paths.orderHistory,
  paths.orders,
  paths.prescriptions,
  paths.profile,
  paths.login,
  paths.register,
  paths.forgotPassword,
  paths.resetPassword,
  paths.confirmEmail,
  paths.stopRemindersForm,
  adminPaths.dashboard,
] as const
