import type { StripeServer } from '#tests/mocks/stripe/server.ts'
import type { Fault as StripeFault } from '#tests/mocks/stripe/stand-in.ts'
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { crashRepeatedly } from './crash-repeatedly.ts'
import type { Fault } from './journal.ts'

const [minOutageMs, maxOutageMs] = [200, 1500]

/** Longer than the pause after five failed attempts at a capture. */
const settleLimitMs = 300_000

/** How Stripe fails, in turn: with or without having done what it was asked for. */
const outages: readonly (StripeFault | 'down' | 'declines captures')[] = [
  'act, cut off',
  'down',
  'answer 500',
  'declines captures',
  'act, answer 500',
  'cut off',
  'answer 429',
  'act, say nothing',
  'say nothing',
]

/** Stripe fails for a while, also while orders are captured and voided. The shop keeps running. */
export const providerDown: Fault = (site, times) => {
  let trial = 0
  return crashRepeatedly(
    site,
    times,
    async (shop, { stripe }) => {
      await failFor(stripe, trial++, randomInt(minOutageMs, maxOutageMs))
      return { ...shop, readyMs: 0 }
    },
    { settleLimitMs },
  )
}

async function failFor(stripe: StripeServer, trial: number, ms: number): Promise<void> {
  const outage = outages[trial % outages.length] ?? 'down'
  const { settings } = stripe.store
  if (outage === 'down') await stripe.goDown()
  else if (outage === 'declines captures') settings.capturesAreDeclined = true
  else stripe.fail(outage)
  await sleep(ms)
  settings.capturesAreDeclined = false
  stripe.clearFaults()
  if (outage === 'down') await stripe.comeBack()
}
