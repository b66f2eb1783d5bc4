import type { Permission } from '#domain/accounts/permissions.ts'
import { findKeyCall, type KeyPermission } from '#domain/api-keys/key-permissions.ts'
import { categories } from '#domain/catalog/catalog.ts'
import type { ErrorCode } from '#domain/errors.ts'
import { z } from 'zod'
import type { Write, WriteMethod } from '../../../http/api-action.server.ts'
import { creationHeaders, idempotencyHeaders } from '../../../http/idempotency-key.server.ts'
import { wholeListNotice } from '../../../http/deprecated-calls.ts'
import { action as paymentIntent } from '../create-payment-intent.ts'
import { action as adjust } from '../inventory-adjust.ts'
import { action as manufacturerById } from '../manufacturer.ts'
import { action as manufacturers } from '../manufacturers.ts'
import { action as upload } from '../objects-upload.ts'
import { action as uploadTicket } from '../objects-upload-ticket.ts'
import { action as orderById } from '../order.ts'
import { action as orders } from '../orders.ts'
import { action as prescriptionById } from '../prescription.ts'
import { action as prescriptions } from '../prescriptions.ts'
import { action as productById } from '../product.ts'
import { action as variantById } from '../product-variant.ts'
import { action as variants } from '../product-variants.ts'
import { action as products } from '../products.ts'
import { action as idDocument } from '../profile-id-document.ts'
import { action as profile } from '../profile.ts'
import { action as userById } from '../user.ts'
import type { ReplyName } from './replies.ts'

/** What a call returns: an object or a list of them, a file, a redirect, or nothing. */
export type Reply =
  | ReplyName
  | { list: ReplyName }
  | { either: readonly Reply[] }
  | 'file'
  | 'redirect'
  | null

export type Operation = {
  method: 'GET' | WriteMethod
  /** As in OpenAPI: `/api/products/{id}`. */
  path: string
  area: string
  summary: string
  for: 'anyone' | 'user' | Permission
  /** What an API key needs: null for nothing. Undefined when the call accepts no key. */
  forKey: KeyPermission | null | undefined
  query?: z.ZodObject
  headers?: z.ZodObject
  /** Null for a call without a JSON body. */
  body: Write['schema']
  status: number
  /** The status with the same reply when an earlier request did it already. */
  repeatedStatus?: number
  reply: Reply
  /** The refusals that calls of its kind do not have. */
  refusals: readonly ErrorCode[]
  /** Whether the body is the file itself. */
  takesFile: boolean
  /** Whether a list has a `Link` header to its next page. */
  isPaged: boolean
  /** When a reply is deprecated, as the start of a sentence; null if it never is. */
  deprecation: string | null
}

const limit = z.coerce.number().int().min(1).max(1000).optional()
const after = z.string().describe('The id of the last row of the previous page.').optional()
/** Of a list that is whole without `limit`. */
const paging = z.object({ limit: limit.describe(wholeListNotice), after })
/** Of a list that never is. */
const pages = z.object({ limit: limit.describe('50 unless given.'), after })
const include = z.literal('variants').describe('Adds the variants of each product.').optional()
const ids = z.object({
  ndc: z.string().optional(),
  din: z.string().optional(),
  upc: z.string().optional(),
})
const search = ids.extend({
  q: z.string().optional(),
  manufacturerId: z.string().optional(),
  category: z.enum(categories).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(24),
  include,
})

type Description = Pick<Operation, 'summary'> &
  Partial<
    Pick<
      Operation,
      'reply' | 'status' | 'repeatedStatus' | 'refusals' | 'takesFile' | 'query' | 'headers' | 'deprecation'
    >
  >
type Read = Description & { for: Operation['for'] }

const defaults = { reply: null, status: 200, refusals: [], takesFile: false, deprecation: null } as const

/** The calls on one path: its read, and its writes by method with what they accept. */
function onPath(
  area: string,
  path: string,
  { get, ...described }: { get?: Read } & Partial<Record<WriteMethod, Description>>,
  action?: { writes: Partial<Record<WriteMethod, Write>> },
): Operation[] {
  const route = path.replaceAll(/\{(\w+)\}/g, ':$1')
  const keyOf = (method: string) => findKeyCall(method, route)
  const read = ({ query, ...described }: Read): Operation => ({
    ...defaults,
    ...described,
    method: 'GET',
    path,
    area,
    forKey: keyOf('GET'),
    body: null,
    ...(query && { query }),
    isPaged: query !== undefined && 'after' in query.shape,
    deprecation: query?.shape['limit'] === paging.shape.limit ? 'Of a whole list' : null,
  })
  const writes = Object.entries(action?.writes ?? {}).map(([name, write]): Operation => {
    const method = z.enum(['POST', 'PUT', 'PATCH', 'DELETE']).parse(name)
    const description = described[method]
    if (!description) throw new Error(`${method} ${path} has no description.`)
    return {
      ...defaults,
      ...description,
      method,
      path,
      area,
      for: write.for,
      forKey: keyOf(method),
      body: write.schema,
      isPaged: false,
    }
  })
  return [...(get ? [read(get)] : []), ...writes]
}

/** Every call under /api (specification, section 7; contract, "/api"). */
export const operations: readonly Operation[] = [
  ...onPath(
    'Products',
    '/api/products',
    {
      get: {
        for: 'anyone',
        summary: 'List products',
        query: paging.extend({ include }),
        reply: { list: 'Product' },
      },
      POST: { summary: 'Create a product', headers: creationHeaders, reply: 'Product', status: 201 },
    },
    products,
  ),
  ...onPath('Products', '/api/products/search', {
    get: { for: 'anyone', summary: 'Search products', query: search, reply: { list: 'SearchResult' } },
  }),
  ...onPath(
    'Products',
    '/api/products/{id}',
    {
      get: { for: 'anyone', summary: 'Get a product', query: z.object({ include }), reply: 'Product' },
      PATCH: { summary: 'Change a product', reply: 'Product' },
      DELETE: { summary: 'Delete a product and its variants', status: 204 },
    },
    productById,
  ),
  ...onPath(
    'Products',
    '/api/product-variants',
    {
      get: {
        for: 'anyone',
        summary: 'List variants; staff who see costs get acquisitionCost',
        query: paging,
        reply: { list: 'Variant' },
      },
      POST: { summary: 'Create a variant', headers: creationHeaders, reply: 'Variant', status: 201 },
    },
    variants,
  ),
  ...onPath(
    'Products',
    '/api/product-variants/{id}',
    {
      PATCH: {
        summary: 'Change a variant',
        reply: 'Variant',
        deprecation: 'When the body has `stockQuantity`',
      },
    },
    variantById,
  ),
  ...onPath(
    'Manufacturers',
    '/api/manufacturers',
    {
      get: {
        for: 'anyone',
        summary: 'List manufacturers; only catalog staff get addresses',
        reply: { either: [{ list: 'ManufacturerName' }, { list: 'Manufacturer' }] },
      },
      POST: { summary: 'Create a manufacturer', reply: 'Manufacturer', status: 201 },
    },
    manufacturers,
  ),
  ...onPath(
    'Manufacturers',
    '/api/manufacturers/{id}',
    {
      PATCH: { summary: 'Change a manufacturer', reply: 'Manufacturer' },
      DELETE: { summary: 'Delete a manufacturer that no variant uses', status: 204 },
    },
    manufacturerById,
  ),
  ...onPath('Pharmacies', '/api/pharmacies', {
    get: { for: 'pharmacies.write', summary: 'List partner pharmacies', reply: { list: 'Pharmacy' } },
  }),
  ...onPath('Inventory', '/api/inventory/transactions', {
    get: {
      for: 'stock.read',
      summary: 'List stock transactions, newest first',
      query: pages,
      reply: { list: 'InventoryTransaction' },
    },
  }),
  ...onPath('Inventory', '/api/inventory/variant/{variantId}', {
    get: {
      for: 'stock.read',
      summary: 'List the stock transactions of a variant, newest first',
      query: pages,
      reply: { list: 'InventoryTransaction' },
    },
  }),
  ...onPath(
    'Inventory',
    '/api/inventory/adjust',
    {
      POST: {
        summary: 'Adjust the stock of a variant',
        headers: idempotencyHeaders,
        reply: 'AdjustedStock',
      },
    },
    adjust,
  ),
  ...onPath(
    'Orders',
    '/api/create-payment-intent',
    { POST: { summary: 'Start a checkout and its payment', reply: 'ClientSecret' } },
    paymentIntent,
  ),
  ...onPath(
    'Orders',
    '/api/orders',
    {
      get: { for: 'customers.export', summary: 'List all orders', query: paging, reply: { list: 'Order' } },
      POST: {
        summary: 'Place the order for an authorized payment; returns 200 if it already exists',
        reply: 'Order',
        status: 201,
        repeatedStatus: 200,
        refusals: ['PAYMENT_REQUIRED', 'NOT_FOUND'],
      },
    },
    orders,
  ),
  ...onPath('Orders', '/api/orders/user', {
    get: { for: 'user', summary: 'List your own orders', query: paging, reply: { list: 'Order' } },
  }),
  ...onPath('Orders', '/api/orders/user/{userId}', {
    get: { for: 'user', summary: 'List the orders of a user', query: paging, reply: { list: 'Order' } },
  }),
  ...onPath(
    'Orders',
    '/api/orders/{id}',
    {
      get: { for: 'user', summary: 'Get an order', reply: 'Order' },
      PATCH: { summary: 'Change the status or the shipment of an order', reply: 'Order' },
    },
    orderById,
  ),
  ...onPath(
    'Prescriptions',
    '/api/prescriptions',
    {
      get: { for: 'user', summary: 'List your own prescriptions', reply: { list: 'Prescription' } },
      POST: { summary: 'Submit a prescription', reply: 'Prescription', status: 201 },
    },
    prescriptions,
  ),
  ...onPath(
    'Prescriptions',
    '/api/prescriptions/{id}',
    {
      PATCH: { summary: 'Approve or reject a prescription', reply: 'Prescription' },
      DELETE: { summary: 'Delete your own prescription', status: 204 },
    },
    prescriptionById,
  ),
  ...onPath('Prescriptions', '/api/prescriptions/{id}/file', {
    get: { for: 'user', summary: 'Open the file of a prescription', reply: 'file' },
  }),
  ...onPath('Prescriptions', '/api/prescriptions/user/{userId}', {
    get: {
      for: 'prescriptions.review',
      summary: 'List the prescriptions of a user',
      reply: { list: 'Prescription' },
    },
  }),
  ...onPath('Prescriptions', '/api/prescriptions/order/{orderId}', {
    get: { for: 'user', summary: 'List the prescriptions of an order', reply: { list: 'Prescription' } },
  }),
  ...onPath('Accounts', '/api/auth/user', {
    get: { for: 'user', summary: 'Get your own profile', reply: 'User' },
  }),
  ...onPath(
    'Accounts',
    '/api/profile',
    { PATCH: { summary: 'Change your own profile', reply: 'User' } },
    profile,
  ),
  ...onPath(
    'Accounts',
    '/api/profile/id-document',
    { PUT: { summary: 'Replace your ID document', reply: 'UserInUser' } },
    idDocument,
  ),
  ...onPath('Accounts', '/api/shipping-addresses', {
    get: { for: 'user', summary: 'List your saved addresses', reply: { list: 'Address' } },
  }),
  ...onPath('Accounts', '/api/users', {
    get: {
      for: 'customers.export',
      summary: 'List all accounts',
      query: paging,
      reply: { list: 'UserSummary' },
    },
  }),
  ...onPath(
    'Accounts',
    '/api/users/{id}',
    {
      get: { for: 'user', summary: 'Get a user: your own, or any with permission', reply: 'User' },
      PATCH: { summary: 'Change a user', reply: 'User' },
      DELETE: { summary: 'Delete a user', status: 204 },
    },
    userById,
  ),
  ...onPath('Accounts', '/api/users/{id}/id-document', {
    get: { for: 'user', summary: 'Open the ID document of a user', reply: 'file' },
  }),
  ...onPath(
    'Files',
    '/api/objects/upload',
    { POST: { summary: 'Get an address for one upload', reply: 'UploadUrl' } },
    upload,
  ),
  ...onPath(
    'Files',
    '/api/objects/upload/{ticket}',
    {
      PUT: {
        summary: 'Upload a file; the body is the file itself',
        reply: 'UploadedFile',
        refusals: ['BAD_REQUEST', 'GONE', 'TOO_LARGE', 'UNSUPPORTED_TYPE'],
        takesFile: true,
      },
    },
    uploadTicket,
  ),
  ...onPath('Sign-in', '/api/login', {
    get: {
      for: 'anyone',
      summary: 'Go to the sign-in page',
      query: z.object({ returnTo: z.string().optional() }),
      status: 302,
      reply: 'redirect',
    },
  }),
  ...onPath('Sign-in', '/api/logout', {
    get: { for: 'anyone', summary: 'Sign out', status: 302, reply: 'redirect' },
  }),
]
