import { defineConfig } from '@playwright/test'
import { findChromium } from './tests/support/chromium.ts'

const { executablePath, args, env } = await findChromium()

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '*.test.ts',
  globalSetup: './tests/support/browser-shop.ts',
  // Each worker has a shop and a database of its own, so tests may run side by side.
  fullyParallel: true,
  // Three on two processors: a test also waits, for timers and for pages.
  workers: 3,
  // Limits for a busy machine, as in vitest.config.ts. Only a test that hangs reaches them.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  retries: 0,
  reporter: 'list',
  outputDir: 'test-results',
  use: {
    launchOptions: {
      executablePath,
      // V8's helper threads took a tenth of the browser's CPU time. Lighthouse starts its own
      // browser, which keeps them.
      args: [...args, '--js-flags=--single-threaded'],
      env: { ...process.env, ...env },
    },
    screenshot: 'only-on-failure',
    // Without it a missing button would hold a worker until the test's own limit.
    actionTimeout: 30_000,
  },
})
