import type { Engine } from '#db/engine/client.ts'
import { newAdmin, UnexpectedReplyError } from '#tests/support/buyer.ts'
import { freePort } from '#tests/support/free-port.ts'
import type { PlainClient } from '#tests/support/http-client.ts'
import { startShop, type RunningShop } from '#tests/support/start-shop.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

/** A database and the shop processes that run on it. */
export type Site = {
  engine: Engine
  url: string
  /** Starts another process of the built shop. Pass the port of a killed process to restart it. */
  start: (options?: { port?: number; folder?: string; env?: Record<string, string> }) => Promise<RunningShop>
  /** Ends all processes. */
  close: () => Promise<void>
}

/** Short hold and reconcile times, because a test waits for both. */
export const shortHold = { CHECKOUT_HOLD_SECONDS: '6', RECONCILE_SECONDS: '1' }

export function openSite(engine: Engine, url: string): Site {
  const files = mkdtempSync(join(tmpdir(), 'meridian-faults-'))
  const running = new Set<RunningShop>()
  return {
    engine,
    url,
    start: async ({ port, folder, env } = {}) => {
      const shop = await startShop(url, {
        port: port ?? (await freePort()),
        demoCatalog: false,
        ...(folder !== undefined && { folder }),
        env: { RATE_LIMITS: 'off', STORAGE: `local:${files}`, ...shortHold, ...env },
      })
      running.add(shop)
      return shop
    },
    close: async () => {
      await Promise.all([...running].map((shop) => shop.kill()))
      rmSync(files, { recursive: true, force: true })
    },
  }
}

const idSchema = z.object({ id: z.string() })

/** Creates a row through the API and returns its id. */
export async function createOne(admin: PlainClient, path: string, json: unknown): Promise<string> {
  const reply = await admin.send('POST', path, { json })
  if (reply.status !== 201) throw new UnexpectedReplyError(reply, `POST ${path}`)
  return idSchema.parse(JSON.parse(reply.body)).id
}

/**
 * Creates an OTC product through the API with a variant for each stock. Returns the variants' ids.
 */
export async function addTestProduct(origin: string, stocks: readonly number[]): Promise<string[]> {
  const admin = await newAdmin(origin)
  const product = { name: 'Fault Tolerant Lozenges', image: '/illustrations/none.svg', category: 'OTC' }
  const productId = await createOne(admin, '/api/products', product)
  const ids: string[] = []
  for (const [i, stockQuantity] of stocks.entries()) {
    const json = {
      productId,
      strength: String(i + 1),
      strengthUnit: 'mg',
      packageSize: 10,
      packageUnit: 'lozenges',
      price: `${2 + (i % 7)}.${String(10 + (i % 90))}`,
      stockQuantity,
    }
    ids.push(await createOne(admin, '/api/product-variants', json))
  }
  admin.close()
  return ids
}
