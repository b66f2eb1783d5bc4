import { index, prefix, route, type RouteConfig } from '@react-router/dev/routes'

/** The whole URL contract, one line a route, in the order of the specification's table. */
export default [
  index('routes/content/home.tsx'),
  // Everybody who is no admin is led home from the whole back office (docs/decisions/0012-frame.md).
  ...prefix('admin', [
    index('routes/admin/visitor.ts', { id: 'admin/dashboard' }),
    route('products', 'routes/admin/visitor.ts', { id: 'admin/products' }),
    route('variants', 'routes/admin/visitor.ts', { id: 'admin/variants' }),
    route('inventory', 'routes/admin/visitor.ts', { id: 'admin/inventory' }),
    route('manufacturers', 'routes/admin/visitor.ts', { id: 'admin/manufacturers' }),
    route('orders', 'routes/admin/visitor.ts', { id: 'admin/orders' }),
    route('orders/:id', 'routes/admin/visitor.ts', { id: 'admin/order' }),
    route('users/:id', 'routes/admin/visitor.ts', { id: 'admin/user' }),
    route('settings', 'routes/admin/visitor.ts', { id: 'admin/settings' }),
  ]),
  route('checkout', 'routes/checkout/checkout.tsx'),
  route('products', 'routes/shop/products.tsx'),
  route('products/:id', 'routes/shop/product.tsx'),
  route('orders', 'routes/account/orders.tsx'),
  route('orders/:id', 'routes/account/order.tsx'),
  route('prescriptions', 'routes/account/prescriptions.tsx'),
  route('prescriptions/upload', 'routes/account/prescription-upload.tsx'),
  route('contact', 'routes/content/contact.tsx'),
  route('faq', 'routes/content/faq.tsx'),
  route('shipping', 'routes/content/shipping.tsx'),
  route('privacy', 'routes/content/privacy.tsx'),
  route('terms', 'routes/content/terms.tsx'),
  route('hipaa', 'routes/content/hipaa.tsx'),
  route('about', 'routes/content/about.tsx'),
  route('careers', 'routes/content/careers.tsx'),
  route('blog', 'routes/content/blog.tsx'),
  route('profile', 'routes/account/profile.ts'),
  route('order-history', 'routes/account/order-history.ts'),

  route('cart', 'routes/shop/cart.tsx'),
  route('theme', 'routes/shop/theme.tsx'),
  route('search/suggestions', 'routes/shop/suggestions.ts'),
  route('search/manufacturers', 'routes/shop/manufacturers.ts'),
  route('img/v/:file', 'routes/shop/illustration.ts'),

  ...prefix('api', [
    route('auth/user', 'routes/api/auth-user.ts'),
    route('login', 'routes/api/login.ts'),
    route('products', 'routes/api/products.ts'),
    route('products/search', 'routes/api/products-search.ts'),
    route('products/:id', 'routes/api/product.ts'),
    route('product-variants', 'routes/api/product-variants.ts'),
    route('manufacturers', 'routes/api/manufacturers.ts'),
    route('*', 'routes/api/unknown.ts'),
  ]),

  route('demo/outbox', 'routes/demo/outbox.tsx'),
  route('healthz', 'routes/machines/healthz.ts'),
  route('readyz', 'routes/machines/readyz.ts'),
  route('*', 'routes/content/not-found.tsx'),
] satisfies RouteConfig
