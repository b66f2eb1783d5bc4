import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { demoVariable } from './browser-setup.ts'
import { startShop, type RunningShop } from './start-shop.ts'
import { makeTestFolder } from './test-folder.ts'

/** Starts a shop on a copy of the demo's database. `stop` also removes the copy. */
export async function startDemoShop(env: Record<string, string> = {}): Promise<RunningShop> {
  const folder = makeTestFolder('browser')
  const file = join(folder, 'shop.sqlite')
  copyFileSync(process.env[demoVariable] ?? '', file)
  const shop = await startShop(`sqlite:${file}`, { env })
  return {
    ...shop,
    stop: async () => {
      const code = await shop.stop()
      rmSync(folder, { recursive: true, force: true })
      return code
    },
  }
}
