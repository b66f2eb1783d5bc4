import type { StripeStore } from './store.ts'
import type { Intent } from './objects.ts'
import { StripeMockError } from './mock-error.ts'

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const page = (title: string, body: string, status = 200): Response =>
  new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escape(title)}</title><main><h1>${escape(title)}</h1>${body}</main>`,
    { status, headers: { 'Content-Type': 'text/html; charset=utf-8' } },
  )

const redirect = (url: string): Response => new Response(null, { status: 303, headers: { Location: url } })

const button = (name: string, value: string, label: string): string =>
  `<button name="${name}" value="${value}">${label}</button>`

/** The return URL after 3-D Secure, with the parameters that Stripe adds. */
function returnUrl(intent: Intent, to: string): string {
  const url = new URL(to)
  url.searchParams.set('payment_intent', intent.id)
  url.searchParams.set('payment_intent_client_secret', intent.client_secret)
  const isPaid = intent.status === 'succeeded' || intent.status === 'requires_capture'
  url.searchParams.set('redirect_status', isPaid ? 'succeeded' : 'failed')
  return url.href
}

/**
 * Stripe's pages: the hosted payment page and the bank's verification. They need no scripts. Null
 * for any other URL.
 */
export async function answerPage(store: StripeStore, request: Request): Promise<Response | null> {
  const { pathname } = new URL(request.url)
  const [, kind = '', id = ''] = /^\/(c\/pay|authenticate)\/(\w+)$/.exec(pathname) ?? []
  const form = request.method === 'POST' ? new URLSearchParams(await request.text()) : null
  if (kind === 'c/pay') return answerHosted(store, id, form?.get('card') ?? null)
  if (kind === 'authenticate') return answerVerification(store, id, form?.get('outcome') ?? null)
  return null
}

function answerHosted(store: StripeStore, id: string, card: string | null): Response {
  const session = store.findSession(id)
  if (session.status !== 'open') return page('This page has expired', '')
  let errorText = ''
  if (card !== null) {
    try {
      const intent = store.paySession(id, card)
      if (intent.status === 'requires_action') return redirect(`/authenticate/${intent.id}`)
      return redirect(session.success_url.replace('{CHECKOUT_SESSION_ID}', id))
    } catch (error) {
      if (!(error instanceof StripeMockError)) throw error
      errorText = `<p role="alert">${escape(error.message)}</p>`
    }
  }
  const pay = [
    button('card', 'pm_card_visa', 'Pay'),
    button('card', 'pm_card_chargeDeclined', 'Pay with a declined card'),
    button('card', 'pm_card_authenticationRequired', 'Pay with a second step'),
  ].join('')
  const back = session.cancel_url === null ? '' : `<a href="${escape(session.cancel_url)}">Back</a>`
  const amount = (session.amount_total / 100).toFixed(2)
  return page(`Pay $${amount}`, `${errorText}<form method="post">${pay}</form>${back}`)
}

function answerVerification(store: StripeStore, id: string, outcome: string | null): Response {
  const intent = store.findIntent(id)
  if (outcome === 'succeed' || outcome === 'fail') {
    const next = intent['next_action'] as { redirect_to_url: { return_url: string } } | null
    store.settleIntent(id, outcome)
    const session = [...store.sessions.values()].find(({ payment_intent }) => payment_intent === id)
    if (session?.status === 'open') return redirect(`/c/pay/${session.id}`)
    if (session) return redirect(session.success_url.replace('{CHECKOUT_SESSION_ID}', session.id))
    return redirect(returnUrl(intent, next?.redirect_to_url.return_url ?? 'http://localhost'))
  }
  const choices = `${button('outcome', 'succeed', 'Complete')}${button('outcome', 'fail', 'Fail')}`
  return page('Confirm your payment', `<form method="post">${choices}</form>`)
}
