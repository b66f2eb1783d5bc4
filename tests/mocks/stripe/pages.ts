import type { Books } from './store.ts'
import type { Intent } from './objects.ts'
import { StripeRefusal } from './refusal.ts'

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const page = (title: string, body: string, status = 200): Response =>
  new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escape(title)}</title><main><h1>${escape(title)}</h1>${body}</main>`,
    { status, headers: { 'Content-Type': 'text/html; charset=utf-8' } },
  )

const leadTo = (url: string): Response => new Response(null, { status: 303, headers: { Location: url } })

const button = (name: string, value: string, label: string): string =>
  `<button name="${name}" value="${value}">${label}</button>`

/** Where the browser goes on after a second step, with what Stripe adds to the address. */
function returnUrl(intent: Intent, to: string): string {
  const url = new URL(to)
  url.searchParams.set('payment_intent', intent.id)
  url.searchParams.set('payment_intent_client_secret', intent.client_secret)
  url.searchParams.set('redirect_status', intent.status === 'succeeded' ? 'succeeded' : 'failed')
  return url.href
}

/**
 * The pages that a browser sees at Stripe's: the hosted one to pay on, and the bank's second step. They need no scripts. Null for an address that is
 * neither.
 */
export async function answerPage(books: Books, request: Request): Promise<Response | null> {
  const { pathname } = new URL(request.url)
  const [, kind = '', id = ''] = /^\/(c\/pay|authenticate)\/(\w+)$/.exec(pathname) ?? []
  const form = request.method === 'POST' ? new URLSearchParams(await request.text()) : null
  if (kind === 'c/pay') return answerHosted(books, id, form?.get('card') ?? null)
  if (kind === 'authenticate') return answerSecondStep(books, id, form?.get('outcome') ?? null)
  return null
}

function answerHosted(books: Books, id: string, card: string | null): Response {
  const session = books.findSession(id)
  if (session.status !== 'open') return page('This page has expired', '')
  let complaint = ''
  if (card !== null) {
    try {
      const intent = books.paySession(id, card)
      if (intent.status === 'requires_action') return leadTo(`/authenticate/${intent.id}`)
      return leadTo(session.success_url.replace('{CHECKOUT_SESSION_ID}', id))
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error
      complaint = `<p role="alert">${escape(error.message)}</p>`
    }
  }
  const pay = [
    button('card', 'pm_card_visa', 'Pay'),
    button('card', 'pm_card_chargeDeclined', 'Pay with a declined card'),
    button('card', 'pm_card_authenticationRequired', 'Pay with a second step'),
  ].join('')
  const back = session.cancel_url === null ? '' : `<a href="${escape(session.cancel_url)}">Back</a>`
  const amount = (session.amount_total / 100).toFixed(2)
  return page(`Pay $${amount}`, `${complaint}<form method="post">${pay}</form>${back}`)
}

function answerSecondStep(books: Books, id: string, outcome: string | null): Response {
  const intent = books.findIntent(id)
  if (outcome === 'succeed' || outcome === 'fail') {
    const next = intent['next_action'] as { redirect_to_url: { return_url: string } } | null
    books.settleIntent(id, outcome)
    const session = [...books.sessions.values()].find(({ payment_intent }) => payment_intent === id)
    if (session?.status === 'open') return leadTo(`/c/pay/${session.id}`)
    if (session) return leadTo(session.success_url.replace('{CHECKOUT_SESSION_ID}', session.id))
    return leadTo(returnUrl(intent, next?.redirect_to_url.return_url ?? 'http://localhost'))
  }
  const choices = `${button('outcome', 'succeed', 'Complete')}${button('outcome', 'fail', 'Fail')}`
  return page('Your bank asks', `<form method="post">${choices}</form>`)
}
