import { paths } from '#domain/paths.ts'
/**
 * The pages that everyone may read and search engines shall list, medicines apart: what the sitemap names, and what the
 * tests walk.
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
  paths.about,
  paths.careers,
  paths.blog,
] as const

/**
 * Where search engines have no business: calls, what is about one person, the desk. A path stands for all that begin
 * with it.
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
  paths.admin.dashboard,
] as const
