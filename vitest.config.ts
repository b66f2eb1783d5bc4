import { readdirSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Run by Playwright and by hand, or not tests at all. */
const otherFolders = new Set(['bench', 'e2e', 'fixtures', 'mocks', 'support'])

const suites = readdirSync('tests', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !otherFolders.has(entry.name))
  .map((entry) => entry.name)

/**
 * Files that take long begin first: the last ones would otherwise run alone on one of two
 * processors.
 */
const longFirst = [
  'faults.test.ts',
  'planted-values.test.ts',
  'process.test.ts',
  'catalog-import-kill.test.ts',
  'rotate-keys.test.ts',
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
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    // Vitest's own choice leaves one processor free, which is one file at a time on two.
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    projects: suites.map((name) => ({
      // Mails are rendered by tests, too; React's production code knows no development JSX.
      oxc: { jsx: { runtime: 'automatic', development: false } },
      test: {
        name,
        // The files of a worker share its modules: to load them again took a fifth of the processor
        // time. So no test may leave state in a module. What it changes belongs to its database or
        // context.
        isolate: false,
        include: [`tests/${name}/**/*.test.{ts,tsx}`],
        setupFiles: ['tests/support/no-stray-console.ts', 'tests/support/fast-paths.ts'],
        restoreMocks: true,
        // The built shop runs as it will: by Node itself, with React's production code.
        server: { deps: { external: [/\/build\/server\//] } },
        ...(name === 'http' && { env: { NODE_ENV: 'production' } }),
        // Limits for a busy machine. Only a test that hangs reaches them.
        testTimeout: 180_000,
        hookTimeout: 180_000,
      },
    })),
  },
})
