import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Slow files start first. Otherwise the last one would run alone.
 */
const longFirst = [
  'faults.test.ts',
  'planted-values.test.ts',
  'process.test.ts',
  'catalog-import-kill.test.ts',
  'rotate-keys.test.ts',
  'generated-requests.test.ts',
  'guards.test.ts',
  'hostile-forms.test.ts',
  'request-limits.test.ts',
]

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = longFirst.findIndex((name) => moduleId.endsWith(`/${name}`))
      return place === -1 ? longFirst.length : place
    }
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}

export default defineConfig({
  // Tests render emails too, and React's production build does not support development JSX.
  oxc: { jsx: { runtime: 'automatic', development: false } },
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    // Four files at a time on two processors: many tests wait, for timers or other processes.
    maxWorkers: 4,
    sequence: { sequencer: LongFirst },
    // Test files share their worker's modules: reloading them took a third of the CPU time. So no
    // test may leave state in a module. What it changes belongs to its database or context. For the
    // same reason there are no projects: each would have workers of its own.
    isolate: false,
    include: ['tests/**/*.test.{ts,tsx}'],
    // Run by Playwright.
    exclude: ['tests/e2e/**'],
    setupFiles: ['tests/support/no-stray-console.ts', 'tests/support/fast-paths.ts'],
    restoreMocks: true,
    // The built shop runs as in production: in plain Node, with React's production build.
    server: { deps: { external: [/\/build\/server\//] } },
    env: { NODE_ENV: 'production' },
    // Limits for a busy machine. Only a test that hangs reaches them. `vi.waitFor` has no such
    // setting, and waits for a second by default.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
