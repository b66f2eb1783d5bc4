import type { VariantDetail } from '#domain/catalog/catalog.ts'

let variantCount = 0
/** A variant as pages show it, without a database. */
export const variantDetail = (overrides: Partial<VariantDetail> = {}): VariantDetail => ({
  id: `v${String(++variantCount).padStart(4, '0')}`,
  productId: 'p',
  brandName: null,
  genericName: 'Metformin',
  manufacturerId: null,
  dosageForm: 'tablet',
  formDetail: '',
  strength: '500',
  strengthUnit: 'mg',
  packageSize: 30,
  packageUnit: 'tablet',
  price: '10.00',
  sku: null,
  upc: null,
  ndc: null,
  din: null,
  inStock: true,
  stockQuantity: 5,
  trackInventory: true,
  linkedVariantId: null,
  manufacturerName: null,
  labelStrength: null,
  labelForm: null,
  labelPack: null,
  ...overrides,
})
