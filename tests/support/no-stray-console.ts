import { format } from 'node:util'
import { afterAll, afterEach } from 'vitest'

/**
 * Fails a test that writes an unexpected warning or error. A test that expects one replaces the
 * method with `vi.spyOn(console, 'error')`. Restoring the spy restores this check.
 */
const stray: string[] = []
for (const method of ['error', 'warn'] as const) {
  console[method] = (...values: unknown[]) => void stray.push(`console.${method}: ${format(...values)}`)
}

function refuseStray(): void {
  const found = stray.splice(0)
  if (found.length > 0) throw new Error(`Unexpected output.\n${found.join('\n')}`)
}

afterEach(refuseStray)
afterAll(refuseStray)
