import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startShop } from './start-shop.ts'
import { makeTestFolder } from './test-folder.ts'

/** The environment variable that names the database which the workers' shops copy. */
export const demoVariable = 'MERIDIAN_DEMO_DATABASE'

/** Creates the demo's database once for all workers. Removes it afterwards. */
export default async function setup(): Promise<() => void> {
  const folder = makeTestFolder('demo')
  const file = join(folder, 'shop.sqlite')
  const shop = await startShop(`sqlite:${file}`)
  await shop.stop()
  process.env[demoVariable] = file
  return () => rmSync(folder, { recursive: true })
}
