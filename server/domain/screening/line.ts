/** A line to screen: of a cart, a checkout or an order, or the product of a page. */
export type ScreenedLine = {
  /** The caller's id, which the alerts repeat. */
  id: string
  /** "Advil, 200 mg, 24 tablet". */
  name: string
  /** Lines of the same variant are one medicine. */
  variantId: string
  /** Ingredient keys, sorted. Empty when none is known. */
  ingredients: readonly string[]
  /** Whether a substance of the product has no ingredient key: then it is only partly checked. */
  isIncomplete: boolean
  /** The product's route, as pages show it. Null when unknown. */
  route: string | null
  /** "10 mg". Empty when the directory states none. */
  strength: string
  /** The package code, dashed. Recalls and shortages are found by it. */
  ndc: string | null
  /** Its variant, DIN and UPC, as recalls that staff recorded name them. */
  shopCodes: readonly string[]
  /** The FDA application. Null where the catalog does not know it. */
  applicationNumber: string | null
  /** The prescription item that the line is filled on. */
  itemId: string | null
  /** What one fill holds and how long it lasts, for the dose a day. Null without a prescription. */
  fill: { units: number; unit: string; daysSupply: number } | null
  /** The lots that the stock of this line has. Null when the stock has no lots. */
  lots: readonly string[] | null
}
