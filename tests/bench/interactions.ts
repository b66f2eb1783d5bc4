import { findChromium } from '#tests/support/chromium.ts'
import { chromium, type Page } from '@playwright/test'

export type Interaction = {
  name: string
  path: string
  /** Runs before `act` and is not measured. */
  prepare?: (page: Page) => Promise<unknown>
  act: (page: Page) => Promise<unknown>
}

const slowdown = 4
const rounds = 5

export function median(figures: readonly number[]): number {
  const middle = figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)]
  if (middle === undefined) throw new Error('No measurements.')
  return middle
}

/** The longest event from input to paint (Event Timing), in milliseconds, while `act` runs. */
async function slowestEvent(page: Page, act: () => Promise<unknown>): Promise<number> {
  const recorded = await page.evaluateHandle(() => {
    const durations: number[] = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) durations.push(entry.duration)
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
    return durations
  })
  await act()
  await page.waitForTimeout(1000)
  return recorded.evaluate((durations) => Math.max(0, ...durations))
}

/**
 * Prints the slowest event of each interaction: the median of five, with the processor four times
 * slower.
 * @param cookie the session to use; without it, a visitor who is not signed in
 */
export async function measureInteractions(
  origin: string,
  interactions: readonly Interaction[],
  { viewport, cookie }: { viewport: { width: number; height: number }; cookie?: string },
): Promise<void> {
  const { executablePath, args, env } = await findChromium()
  const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } })
  console.log(`\nslowest event, processor ${slowdown} times slower   ms`)
  for (const { name, path, prepare, act } of interactions) {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const context = await browser.newContext({ viewport })
      for (const pair of cookie?.split('; ') ?? []) {
        const [key = '', ...value] = pair.split('=')
        await context.addCookies([{ name: key, value: value.join('='), url: origin }])
      }
      const page = await context.newPage()
      const client = await context.newCDPSession(page)
      await page.goto(origin + path, { waitUntil: 'networkidle' })
      await prepare?.(page)
      await client.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
      times.push(await slowestEvent(page, () => act(page)))
      await context.close()
    }
    console.log(`${name.padEnd(43)} ${median(times).toFixed(0).padStart(4)}`)
  }
  await browser.close()
}
