import { openTestDatabase } from '#tests/support/databases.ts'

/** A payment as its provider has it. */
export type BookedPayment = { id: string; status: string; amountCents: number; refundedCents: number }

/** The books of demo payments' provider, which lie in the shop's database and which nothing of the shop but its stand-in reads. */
export async function readDemoBooks(databaseUrl: string): Promise<BookedPayment[]> {
  const db = openTestDatabase(databaseUrl)
  try {
    const payments = await db.selectFrom('demoPayments').select(['id', 'status', 'amountCents']).execute()
    const refunds = await db.selectFrom('demoRefunds').select(['paymentId', 'amountCents']).execute()
    const given = new Map<string, number>()
    for (const { paymentId, amountCents } of refunds) {
      given.set(paymentId, (given.get(paymentId) ?? 0) + amountCents)
    }
    return payments.map((payment) => ({ ...payment, refundedCents: given.get(payment.id) ?? 0 }))
  } finally {
    await db.destroy()
  }
}
