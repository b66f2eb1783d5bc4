import { z } from 'zod'
import { StripeMockError } from './mock-error.ts'
import { stripeKeys, type StripeStandIn } from './stand-in.ts'
import { releaseReports } from './holds.ts'

const faults = [
  'answer 500',
  'answer 429',
  'say nothing',
  'cut off',
  'act, answer 500',
  'act, say nothing',
  'act, cut off',
] as const

const commandSchema = z.union([
  z.strictObject({ confirm: z.string(), card: z.string().optional() }),
  z.strictObject({ settle: z.string(), outcome: z.enum(['succeed', 'fail']) }),
  z.strictObject({ fail: z.enum(faults), on: z.string().optional(), times: z.number().optional() }),
  z.strictObject({ heal: z.literal(true) }),
  /** Ends an authorization; with `lags` its intent does not show it yet. */
  z.strictObject({ expire: z.string(), lags: z.boolean().optional() }),
  z.strictObject({
    settings: z.strictObject({
      releaseReport: z.enum(releaseReports).optional(),
      capturesAreDeclined: z.boolean().optional(),
      refundsArePending: z.boolean().optional(),
    }),
  }),
  z.strictObject({
    webhooks: z.strictObject({
      url: z.url(),
      times: z.number().default(1),
      delayMs: z.number().default(0),
      shuffleMs: z.number().default(0),
      /** Drops one event in N; 0 drops none. */
      dropOneIn: z.number().default(0),
      retries: z.number().default(0),
    }),
  }),
])

/**
 * The endpoint `/_control` (JSON), where a test in another process stands in for the browser, the
 * bank and the network. Null for another path.
 */
export async function answerControl(standIn: StripeStandIn, request: Request): Promise<Response | null> {
  if (new URL(request.url).pathname !== '/_control') return null
  if (request.method === 'GET') return Response.json(overview(standIn))
  const command = commandSchema.safeParse(await request.json())
  if (!command.success) return Response.json({ error: z.prettifyError(command.error) }, { status: 400 })
  try {
    return Response.json((await runCommand(standIn, command.data)) ?? {})
  } catch (error) {
    if (error instanceof StripeMockError) return Response.json(error.body, { status: error.status })
    throw error
  }
}

/** All payments and deliveries, for checks from outside. */
const overview = ({ store, calls, webhooks }: StripeStandIn) => ({
  payments: [...store.intents.values()].map(
    ({ id, status, amount, metadata, latest_charge: charge, ...intent }) => ({
      id,
      status,
      amount,
      captured: intent.amount_received,
      refunded: store.charges.get(charge ?? '')?.amount_refunded ?? 0,
      checkout: metadata['checkout'] ?? null,
    }),
  ),
  sessions: [...store.sessions.values()],
  calls: calls.length,
  deliveries: webhooks.deliveries,
})

async function runCommand(standIn: StripeStandIn, command: z.output<typeof commandSchema>): Promise<unknown> {
  if ('confirm' in command) {
    return standIn.confirm(command.confirm, command.card === undefined ? {} : { card: command.card })
  }
  if ('settle' in command) return standIn.store.settleIntent(command.settle, command.outcome)
  if ('fail' in command) {
    const { fail, on = '', times = Infinity } = command
    return standIn.fail(fail, { on, times })
  }
  if ('heal' in command) return standIn.clearFaults()
  if ('expire' in command) return standIn.store.expireHold(command.expire, { lags: command.lags ?? false })
  if ('settings' in command) return Object.assign(standIn.store.settings, command.settings)
  const { dropOneIn, ...settings } = command.webhooks
  const drop = (): boolean => dropOneIn > 0 && Math.random() < 1 / dropOneIn
  return standIn.webhooks.connect({ ...settings, drop, secrets: [stripeKeys.webhook] })
}
