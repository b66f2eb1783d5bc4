import { addressLabels } from '../accounts/address-labels.ts'
import * as checkoutMessages from './checkout-messages.ts'

type Failure = { message: string | null; fields: Readonly<Record<string, string>> }

const cardNames = ['cardNumber', 'expiry', 'cardCvc']
const notPlaced = 'Your order hasn’t been placed yet'

/** What is wrong with a field (specification, section 8). */
function titleOf(name: string): string {
  if (name in addressLabels) return checkoutMessages.missingAddress
  if (name === 'prescriptionId') return 'Prescription Required'
  if (name === 'payment') return checkoutMessages.failed
  return cardNames.includes(name) ? 'Check your card details' : notPlaced
}

/**
 * The summary of a failed checkout, headed by what is wrong. Of several things, each is named
 * before the first of its fields.
 */
export function summarizeFailure({ message, fields }: Failure): Pick<Failure, 'fields'> & { title: string } {
  const titles = new Set(Object.keys(fields).map(titleOf))
  const [only = message ?? notPlaced] = titles
  if (titles.size < 2) return { title: only, fields }
  const named = Object.entries(fields).map(([name, sentence]): [string, string] => {
    const title = titleOf(name)
    return [name, titles.delete(title) && title !== notPlaced ? `${title}: ${sentence}` : sentence]
  })
  return { title: 'Please check these fields', fields: Object.fromEntries(named) }
}
