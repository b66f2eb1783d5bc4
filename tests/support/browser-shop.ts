import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startShop, type RunningShop } from './start-shop.ts'
import { makeTestFolder } from './test-folder.ts'

/** Where a worker finds the demo's database and files, which it copies. */
const variable = 'BROWSER_SHOP'

/** A shop with its database and files in a folder, which `stop` removes if `isTemporary`. */
async function startIn(
  folder: string,
  { env, isTemporary }: { env?: Record<string, string>; isTemporary: boolean },
): Promise<RunningShop> {
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const shop = await startShop(`sqlite:${join(folder, 'shop.sqlite')}`, {
      env: { STORAGE: `local:${join(folder, 'files')}`, ...env },
    })
    const stop = async (): Promise<number | null> => {
      const code = await shop.stop()
      if (isTemporary) remove()
      return code
    }
    return { ...shop, stop }
  } catch (error) {
    remove()
    throw error
  }
}

/**
 * Playwright's global setup: fills the demo once, because that takes 5 CPU seconds. Returns what
 * removes it after the run.
 */
export default async function setup(): Promise<() => void> {
  const folder = makeTestFolder('browser')
  const shop = await startIn(folder, { isTemporary: false })
  await shop.stop()
  process.env[variable] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

/** Starts a shop on a new copy of the demo. `stop` removes the copy. */
export function startBrowserShop(env: Record<string, string> = {}): Promise<RunningShop> {
  const folder = makeTestFolder('browser')
  cpSync(process.env[variable] ?? '', folder, { recursive: true })
  return startIn(folder, { env, isTemporary: true })
}
