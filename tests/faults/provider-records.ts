import { openTestDatabase } from '#tests/support/databases.ts'

/** A payment according to the provider. */
export type RecordedPayment = {
  id: string
  /** `succeeded`: charged. `authorized`: not captured. Any other: the customer owes nothing. */
  status: string
  /** What was authorized. */
  amountCents: number
  capturedCents: number
  /** What the shop returned after it was captured. */
  refundedCents: number
}

/** The demo provider's payments, which only the demo adapter reads, from the shop's database. */
export async function readDemoPayments(databaseUrl: string): Promise<RecordedPayment[]> {
  const db = openTestDatabase(databaseUrl)
  try {
    const payments = await db
      .selectFrom('demoPayments')
      .select(['id', 'status', 'amountCents', 'capturedCents'])
      .execute()
    const refunds = await db.selectFrom('demoRefunds').select(['paymentId', 'amountCents']).execute()
    const refunded = new Map<string, number>()
    for (const { paymentId, amountCents } of refunds) {
      refunded.set(paymentId, (refunded.get(paymentId) ?? 0) + amountCents)
    }
    return payments.map((payment) => ({ ...payment, refundedCents: refunded.get(payment.id) ?? 0 }))
  } finally {
    await db.destroy()
  }
}
