import { listProcessTree } from '#tests/support/process-facts.ts'
import type { RunningShop } from '#tests/support/start-shop.ts'
import { spawn } from 'node:child_process'
import { Agent, request } from 'node:http'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './journal.ts'
import { addTestProduct } from './site.ts'

const clients = 24
/** Five processes that want each processor. */
const busyPerProcessor = 5
/** The shop closes what is left after 9.5 s (app/server.ts). */
const exitLimitMs = 10_000
const loadMs = 1500

/** What the clients of one trial saw after the signal. */
type Seen = { answered: number; cut: number; turnedAway: number; failures: string[] }

/**
 * SIGTERM while clients buy, on a machine with nothing else to do and on one where five busy
 * processes want each processor; to the process, and to its whole group, which has two workers. A
 * request on an open connection must get its response, and the shop must exit with 0 in time.
 */
export const sigterm: Fault = async (site, times) => {
  const findings: string[] = []
  const facts = { answered: 0, cut: 0, turnedAway: 0, exitMs: 0, starvedExitMs: 0 }
  for (let trial = 0; trial < times; trial++) {
    const isStarved = trial % 2 === 1
    const isGroup = trial % 4 >= 2
    const shop = await site.start({ env: isGroup ? { WEB_CONCURRENCY: '2' } : {} })
    const [variant = ''] = await addTestProduct(shop.origin, [1_000_000])
    const stopBusyLoops = isStarved ? startBusyLoops() : () => {}
    try {
      const seen: Seen = { answered: 0, cut: 0, turnedAway: 0, failures: [] }
      const buying = Array.from({ length: clients }, () => buyUntilClosed(shop.origin, variant, seen))
      await sleep(loadMs)
      seen.answered = 0
      const started = performance.now()
      const code = await terminate(shop, isGroup)
      const ms = Math.round(performance.now() - started)
      await Promise.all(buying)
      const where = `trial ${trial} (${isStarved ? 'starved' : 'quiet'}, ${isGroup ? 'group' : 'process'})`
      if (code !== 0) findings.push(`${where}: exit code ${code}`)
      if (ms > exitLimitMs) findings.push(`${where}: exited after ${ms} ms`)
      if (seen.cut > 0) findings.push(`${where}: ${seen.cut} requests cut, ${seen.answered} answered`)
      findings.push(...seen.failures.map((failure) => `${where}: ${failure}`))
      facts.answered += seen.answered
      facts.cut += seen.cut
      facts.turnedAway += seen.turnedAway
      if (isStarved) facts.starvedExitMs = Math.max(facts.starvedExitMs, ms)
      else facts.exitMs = Math.max(facts.exitMs, ms)
    } finally {
      stopBusyLoops()
    }
  }
  return { trials: times, findings, facts }
}

/** Sends SIGTERM to the shop's process, or like a terminal to its whole group. */
function terminate(shop: RunningShop, isGroup: boolean): Promise<number | null> {
  const workers = isGroup ? listProcessTree(shop.pid).slice(1) : []
  const stopped = shop.stop()
  for (const pid of workers) process.kill(pid, 'SIGTERM')
  return stopped
}

/** Keeps the processors busy. Returns what ends that. */
function startBusyLoops(): () => void {
  const loops = Array.from({ length: busyPerProcessor * availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  )
  return () => {
    for (const loop of loops) loop.kill('SIGKILL')
  }
}

/** Reads a page and adds to the cart in turns over one connection, until the port is closed. */
async function buyUntilClosed(origin: string, variant: string, seen: Seen): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let at = 0; ; at++) {
    const result =
      at % 2 === 0
        ? await send(agent, `${origin}/products`, null)
        : await send(agent, `${origin}/cart`, `intent=add&variantId=${variant}&quantity=1`)
    if (typeof result === 'number') {
      seen.answered++
      if (result >= 400) seen.failures.push(`answered ${result}`)
    } else if (result === 'refused') break
    else if (result === 'cut') seen.cut++
    else seen.turnedAway++
  }
  agent.destroy()
}

/**
 * Sends one request. `cut` if an open connection ended without the response, `turned away` if a new
 * one ended before the shop accepted it, `refused` if the port is closed.
 * @returns the status of the response, or what happened instead
 */
const send = (
  agent: Agent,
  url: string,
  form: string | null,
): Promise<number | 'cut' | 'turned away' | 'refused'> =>
  new Promise((resolve) => {
    const headers = {
      ...(form !== null && { 'content-type': 'application/x-www-form-urlencoded' }),
      origin: new URL(url).origin,
    }
    const sent = request(url, { agent, method: form === null ? 'GET' : 'POST', headers }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
      response.once('error', () => resolve('cut'))
    })
    sent.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') resolve('refused')
      else resolve(sent.reusedSocket ? 'cut' : 'turned away')
    })
    sent.end(form ?? undefined)
  })
