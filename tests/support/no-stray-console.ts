import { format } from 'node:util'
import { afterAll, afterEach } from 'vitest'

/**
 * A warning that nobody asked for is a defect that nobody looks at. A test that expects one replaces the method with
 * `vi.spyOn(console, 'error')`, and ours comes back after it.
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
