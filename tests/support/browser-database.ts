import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startShop } from './start-shop.ts'
import { makeTestFolder } from './test-folder.ts'

/** Where a worker finds the database that it copies. */
const variable = 'BROWSER_DATABASE'

function makeDatabase(): { file: string; url: string; remove: () => void } {
  const folder = makeTestFolder('browser')
  const file = join(folder, 'shop.sqlite')
  return { file, url: `sqlite:${file}`, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/**
 * Playwright's global setup: fills the demo's database once, because that takes 5 CPU seconds.
 * Returns what removes it after the run.
 */
export default async function setup(): Promise<() => void> {
  const { file, url, remove } = makeDatabase()
  try {
    const shop = await startShop(url)
    await shop.stop()
  } catch (error) {
    remove()
    throw error
  }
  process.env[variable] = file
  return remove
}

/** A new copy of the demo's database. */
export function copyBrowserDatabase(): { url: string; remove: () => void } {
  const { file, url, remove } = makeDatabase()
  copyFileSync(process.env[variable] ?? '', file)
  return { url, remove }
}
