import { findChromium } from '#tests/support/chromium.ts'
import { findPostgres } from '#tests/support/postgres.ts'
import { chromium } from '@playwright/test'
import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => void vi.unstubAllEnvs())

test('the npm Postgres starts and stops when none is installed', async () => {
  const server = await findPostgres({ sources: ['embedded'] })
  const client = new pg.Client({ connectionString: server.url })
  try {
    await client.connect()
    const { rows } = await client.query(
      "select count(*)::int as n, 'a' < 'B' as by_language from pg_database",
    )
    expect(rows).toEqual([{ n: 3, by_language: true }])
    await client.end()
  } finally {
    await server.stop()
  }
  const lateClient = new pg.Client({ connectionString: server.url })
  await expect(lateClient.connect()).rejects.toThrow(/ECONNREFUSED/)
})

test('without Postgres, one line says how to install it', async () => {
  await expect(findPostgres({ sources: [] })).rejects.toThrow(
    /^No PostgreSQL found for the tests\. Install it with: apt-get install -y postgresql$/,
  )
})

test('the npm Chromium opens a page when none is installed', async () => {
  const { executablePath, args, env } = await findChromium({ sources: ['package'] })
  const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } })
  try {
    const page = await browser.newPage()
    await page.setContent('<button popovertarget="p">Open</button><p popover id="p">Take with water</p>')
    await page.getByRole('button', { name: 'Open' }).click()
    await expect(page.getByText('Take with water').isVisible()).resolves.toBe(true)
  } finally {
    await browser.close()
  }
})

test('CHROMIUM_PATH=package chooses the npm Chromium, and any other value is a path', async () => {
  vi.stubEnv('CHROMIUM_PATH', 'package')
  expect((await findChromium()).source).toBe('package')
  vi.stubEnv('CHROMIUM_PATH', '/opt/chromium')
  expect(await findChromium()).toMatchObject({ source: 'environment', executablePath: '/opt/chromium' })
})

test('without Chromium, one line says how to install it', async () => {
  await expect(findChromium({ sources: [] })).rejects.toThrow(
    /^No Chromium found for the browser tests\. Install it with: apt-get install -y chromium$/,
  )
})
