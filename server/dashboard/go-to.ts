import { nameOrEmail } from '#domain/accounts/accounts.ts'
import { can } from '#domain/accounts/permissions.ts'
import { userQuerySchema } from '#domain/accounts/user-rows.ts'
import { productKind } from '#domain/catalog/catalog.ts'
import { productQuerySchema } from '#domain/catalog/variant-grid.ts'
import { orderNumber } from '#domain/go-to.ts'
import type { GoToResults } from '#domain/go-to-results.ts'
import { orderQuerySchema } from '#domain/orders/admin-orders.ts'
import { listUsersPage } from '../accounts/list-users-page.ts'
import { listAdminProducts } from '../catalog/list-admin-catalog.ts'
import { suggestVariants } from '../inventory/list-stock.ts'
import { searchProducts } from '../search/search-products.ts'
import { listAdminOrders } from '../orders/list-admin-orders.ts'
import { requireStaff } from '../require-user.ts'
import type { Context } from '../context.ts'

const perKind = 5

/** As the shop ranks them, and then those that only the back office finds. */
async function findProducts(ctx: Context, text: string): Promise<GoToResults['products']> {
  const [shown, listed] = await Promise.all([
    searchProducts(ctx, { q: text, limit: perKind }),
    listAdminProducts(ctx, { ...productQuerySchema.parse({ q: text }), size: perKind }),
  ])
  // With a note, the shop answered another query: a customer's name can resemble a medicine's.
  const ranked = shown.note ? [] : shown.products
  const found = new Map([...ranked, ...listed.rows].map((product) => [product.id, product]))
  return [...found.values()]
    .slice(0, perKind)
    .map((product) => ({ id: product.id, name: product.name, kind: productKind(product) }))
}

/**
 * Finds products, variants by any identifier, orders by number and customers by name or email: only
 * what the employee may read. Each read of a person is audited, as in the lists. Throws
 * UNAUTHENTICATED, FORBIDDEN.
 */
export async function goTo(ctx: Context, text: string): Promise<GoToResults> {
  const user = requireStaff(ctx)
  const [, number] = orderNumber.exec(text) ?? []
  const page = { size: perKind }
  const [products, variants, orders, customers] = await Promise.all([
    can(user, 'catalog.write') ? findProducts(ctx, text) : [],
    can(user, 'stock.read') ? suggestVariants(ctx, text) : null,
    can(user, 'orders.read') && number
      ? listAdminOrders(ctx, { ...orderQuerySchema.parse({ q: number }), ...page })
      : null,
    can(user, 'customers.read')
      ? listUsersPage(ctx, { ...userQuerySchema.parse({ q: text }), ...page })
      : null,
  ])
  return {
    products,
    variants: (variants ?? []).slice(0, perKind).map(({ id, productName, label, stockQuantity }) => ({
      id,
      name: `${productName}, ${label}`,
      stockQuantity,
    })),
    orders: (orders?.rows ?? []).map(({ id, status }) => ({ id, status })),
    customers: (customers?.rows ?? []).map((row) => ({
      id: row.id,
      name: nameOrEmail(row),
      email: row.email,
    })),
  }
}
