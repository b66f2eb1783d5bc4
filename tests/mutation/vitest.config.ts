import { defineConfig } from 'vitest/config'

/** The tests of the pure rules. Two files of generated cases would take seconds for each mutant. */
export default defineConfig({
  test: {
    include: ['tests/domain/**/*.test.ts'],
    exclude: ['tests/domain/dispensing-sequences.test.ts', 'tests/domain/screening-lists.test.ts'],
    setupFiles: ['tests/support/no-stray-console.ts', 'tests/support/fast-paths.ts'],
    // One process for all files that a change concerns. Stryker starts a new one for each change.
    isolate: false,
    restoreMocks: true,
  },
})
