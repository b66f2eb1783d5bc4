import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { answerControl } from './control.ts'
import { stripeStandIn, type StripeStandIn } from './stand-in.ts'

export type StripeServer = StripeStandIn & {
  origin: string
  /** Stops listening and breaks open connections. */
  goDown: () => Promise<void>
  comeBack: () => Promise<void>
  close: () => Promise<void>
}

/** Runs the mock as a local server, for a shop in another process. @param port 0 for a free port */
export async function startStripe(port = 0, standIn: StripeStandIn = stripeStandIn()): Promise<StripeServer> {
  const listener = getRequestListener(async (request, env) => {
    const { incoming } = env as HttpBindings
    const answer = (await answerControl(standIn, request)) ?? (await standIn.handle(request))
    if (answer instanceof Response) return answer
    if (answer === 'cut off') incoming.socket.destroy()
    return new Promise<Response>(() => {})
  })
  let server = createServer((request, response) => void listener(request, response))
  const listen = async (at: number): Promise<number> => {
    server = createServer((request, response) => void listener(request, response))
    await once(server.listen(at, '127.0.0.1'), 'listening')
    const address = server.address()
    if (typeof address !== 'object' || !address) throw new Error('The stand-in has no port.')
    return address.port
  }
  const goDown = async (): Promise<void> => {
    const closed = new Promise((done) => server.close(done))
    server.closeAllConnections()
    await closed
  }
  const listeningAt = await listen(port)
  const origin = `http://127.0.0.1:${listeningAt}`
  standIn.state.origin = origin
  return {
    ...standIn,
    origin,
    goDown,
    comeBack: async () => void (await listen(listeningAt)),
    close: goDown,
  }
}

/** Runs the mock in this process in place of Stripe itself. */
export const stripeInProcess = (standIn: StripeStandIn) =>
  setupServer(
    http.all('https://api.stripe.com/*', async ({ request }) => {
      const answer = await standIn.handle(request)
      if (answer instanceof Response) return answer
      // Not a timer, which would keep the process alive.
      if (answer === 'say nothing') return new Promise<never>(() => {})
      return HttpResponse.error()
    }),
  )
