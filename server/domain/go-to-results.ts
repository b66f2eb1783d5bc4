/** What "Go to" found besides pages, a few of each kind. */
export type GoToResults = {
  /** `kind` tells products of one name apart: "oral · tablet · OTC". */
  products: readonly { id: string; name: string; kind: string }[]
  variants: readonly { id: string; name: string; stockQuantity: number }[]
  orders: readonly { id: string; status: string }[]
  customers: readonly { id: string; name: string; email: string }[]
}

/** Shorter texts would find everything. */
export const minGoToLength = 2
