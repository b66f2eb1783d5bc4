/**
 * The pages that everyone may read and search engines shall list, medicines apart: what the sitemap names, and what the
 * tests walk.
 */
export const publicPages = [
  '/',
  '/products',
  '/products?category=Rx',
  '/products?category=OTC',
  '/brands',
  '/contact',
  '/faq',
  '/shipping',
  '/privacy',
  '/terms',
  '/hipaa',
  '/about',
  '/careers',
  '/blog',
] as const

/**
 * Where search engines have no business: calls, what is about one person, the desk. A path stands for all that begin
 * with it.
 */
export const privatePaths = [
  '/api/',
  '/trpc',
  '/search/',
  '/cart',
  '/checkout',
  '/order-confirmation',
  '/order-history',
  '/orders',
  '/prescriptions',
  '/profile',
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password',
  '/confirm-email',
  '/admin',
] as const
