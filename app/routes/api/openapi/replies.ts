import { categories, dosageForms, type Product, type Variant } from '#domain/catalog/catalog.ts'
import type { SavedAddress } from '#domain/accounts/addresses.ts'
import { genders } from '#domain/accounts/accounts.ts'
import { adjustmentTypes, type InventoryTransaction } from '#domain/inventory/inventory.ts'
import { lotStatuses } from '#domain/inventory/lots.ts'
import { orderStatuses } from '#domain/orders/order-status.ts'
import { prescriptionStatuses } from '#domain/prescriptions/prescriptions.ts'
import type { Manufacturer } from '#domain/catalog/manufacturer-fields.ts'
import type { AdjustmentRow } from '#server/inventory/adjust-stock.ts'
import type { UserSummary } from '#server/accounts/list-users.ts'
import { z } from 'zod'
import type { orderReply } from '../../../http/order-reply.server.ts'
import type { prescriptionReply } from '../../../http/prescription-reply.server.ts'
import type { userReply } from '../../../http/user-reply.server.ts'

/**
 * The objects that /api returns (specification, section 3; contract, "Shapes"). The types check
 * each against what the route returns, and tests/http/openapi.test.ts checks real replies.
 */

/** A value as JSON has it. */
type Wire<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? Wire<Item>[]
    : T extends object
      ? { [Key in keyof T]: Wire<T[Key]> }
      : T

const id = z.uuid()
const text = z.string().nullable()
const money = z.string().regex(/^\d+\.\d\d$/)
const day = z.iso.date()
const time = z.iso.datetime()
const formDetail = z.string().describe('What the label adds: `extended release`. Can be empty.')
/** The back office stores what is printed on the package (docs/decisions/0019-back-office.md). */
const identifier = (form: string) =>
  text.describe(`${form}, unless staff entered the identifier as printed on the package.`)

export const product = z.strictObject({
  id,
  name: z.string().min(1),
  description: text,
  image: z.string().regex(/^(\/|https:)/),
  category: z.enum(categories),
  pharmacyId: text,
  controlledSchedule: text,
}) satisfies z.ZodType<Product>

export const variant = z.strictObject({
  id,
  productId: id,
  brandName: text,
  genericName: z.string(),
  manufacturerId: text,
  dosageForm: z.enum(dosageForms).nullable(),
  formDetail,
  strength: z.string(),
  strengthUnit: z.string(),
  packageSize: z.number().int(),
  packageUnit: z.string(),
  price: money.nullable(),
  sku: text,
  upc: identifier('12 digits'),
  ndc: identifier('A package code with dashes, like 0228-2899-96'),
  din: identifier('8 digits'),
  inStock: z.boolean(),
  stockQuantity: z.number().int().min(0),
  trackInventory: z.boolean(),
  linkedVariantId: id.nullable(),
}) satisfies z.ZodType<Variant>

/** With costs for those who may see them. */
const listedVariant = variant.extend({ acquisitionCost: money.nullable().optional() })

/** Only with `?include=variants`. */
const variants = z.array(listedVariant).optional()
const listedProduct = product.extend({ variants })
const searchResult = product.extend({ matchedVariantId: id.nullable(), variants })

const manufacturer = z.strictObject({
  id,
  name: z.string(),
  streetAddress: text,
  city: text,
  stateProvince: text,
  country: text,
  postalCode: text,
}) satisfies z.ZodType<Manufacturer>

const manufacturerName = z.strictObject({ id, name: z.string() })

const pharmacy = z.strictObject({
  id,
  name: z.string(),
  country: z.string(),
  licenceNumber: z.string(),
  licenceExpiry: day,
  shipsTo: z.array(z.string()),
  active: z.boolean(),
})

const transaction = z.strictObject({
  id: z.string(),
  productVariantId: id,
  transactionType: z.enum([...adjustmentTypes, 'sale', 'cancellation']),
  quantityChange: z.number().int(),
  quantityBefore: z.number().int(),
  quantityAfter: z.number().int(),
  notes: text,
  createdAt: time,
}) satisfies z.ZodType<Wire<InventoryTransaction>>

/** With the lot of the units, if they are in one. */
const adjustedStock = transaction.extend({
  lotNumber: z.string().optional(),
  expiryDate: day.optional(),
  lotStatus: z.enum(lotStatuses).optional(),
}) satisfies z.ZodType<Wire<AdjustmentRow>>

const orderItem = z.strictObject({
  id: z.string(),
  productVariantId: id,
  quantity: z.number().int().min(1),
  price: money,
  product: z.strictObject({ id, name: z.string(), category: z.enum(categories) }),
  variant: z.strictObject({
    brandName: text,
    strength: z.string(),
    strengthUnit: z.string(),
    dosageForm: z.enum(dosageForms).nullable(),
    formDetail,
    packageSize: z.number(),
    packageUnit: z.string(),
  }),
  daysSupply: z.number().int().optional(),
  patientId: z.string().optional(),
})

const order = z.strictObject({
  id,
  userId: text,
  status: z.enum(orderStatuses),
  total: money,
  refunded: money,
  shippingAddress: z.string(),
  stripePaymentId: z.string(),
  prescriptionId: text,
  trackingNumber: text,
  carrier: text,
  estimatedDelivery: day.nullable(),
  createdAt: time,
  customerName: z.string(),
  customerEmail: z.string(),
  items: z.array(orderItem),
  refusedItems: z.array(orderItem.extend({ reason: z.string(), refusedAt: time })),
}) satisfies z.ZodType<Wire<ReturnType<typeof orderReply>>>

const userSummary = z.strictObject({
  id,
  email: z.string(),
  firstName: text,
  lastName: text,
  isAdmin: z.boolean(),
  createdAt: time,
  profileImageUrl: z.null(),
}) satisfies z.ZodType<Wire<UserSummary> & { profileImageUrl: null }>

const user = userSummary.extend({
  gender: z.enum(genders).nullable(),
  dateOfBirth: day.nullable(),
  weight: z.number().nullable(),
  cellPhone: text,
  homePhone: text,
  currentMedications: text,
  allergies: text,
  shippingStreet: text,
  shippingStreetAddress: text,
  shippingCity: text,
  shippingState: text,
  shippingStateProvince: text,
  shippingCountry: text,
  shippingZip: text,
  shippingZipCode: text,
  billingStreet: text,
  billingStreetAddress: text,
  billingCity: text,
  billingState: text,
  billingStateProvince: text,
  billingCountry: text,
  billingZip: text,
  billingZipCode: text,
  idDocumentPath: text,
}) satisfies z.ZodType<Wire<ReturnType<typeof userReply>>>

const prescription = z.strictObject({
  id,
  /** Only in the list of an order. */
  userId: id.optional(),
  doctorName: text,
  prescriptionDate: day.nullable(),
  expiryDate: day.nullable(),
  notes: text,
  orderId: text,
  uploadedAt: time,
  status: z.enum(prescriptionStatuses),
  statusReason: text,
  fileUrl: z.string(),
}) satisfies z.ZodType<Wire<ReturnType<typeof prescriptionReply>>>

const address = z.strictObject({
  id,
  addressType: z.literal('shipping'),
  isDefault: z.boolean(),
  streetAddress: z.string(),
  city: z.string(),
  stateProvince: z.string(),
  zipCode: z.string(),
  country: z.string(),
}) satisfies z.ZodType<SavedAddress>

/** The objects that the document names. */
export const replies = {
  Product: listedProduct,
  SearchResult: searchResult,
  Variant: listedVariant,
  Manufacturer: manufacturer,
  ManufacturerName: manufacturerName,
  Pharmacy: pharmacy,
  InventoryTransaction: transaction,
  AdjustedStock: adjustedStock,
  Order: order,
  User: user,
  UserSummary: userSummary,
  UserInUser: z.strictObject({ user }),
  Prescription: prescription,
  Address: address,
  ClientSecret: z.strictObject({ clientSecret: z.string(), total: money }),
  UploadUrl: z.strictObject({ uploadURL: z.url() }),
  UploadedFile: z.strictObject({ url: z.string() }),
}
export type ReplyName = keyof typeof replies
