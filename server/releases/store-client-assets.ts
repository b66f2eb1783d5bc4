import {
  addClientAsset,
  deleteClientAssets,
  markClientAssetUsed,
  readClientAssetUses,
} from '#db/releases/client-assets.ts'
import { dayMs } from '#domain/days.ts'
import { endsBefore, retention } from '#domain/privacy/retention.ts'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { JobContext } from '../job-context.ts'

/** The build writes compressed copies beside the assets. */
const compressedCopy = /\.(br|gz)$/

/**
 * Stores this release's assets for the other releases, and marks them as used today. Two processes
 * may do so at once.
 * @param folder the assets of the client build, with a `.gz` copy beside each text
 */
export async function storeClientAssets(
  { db, now }: Pick<JobContext, 'db' | 'now'>,
  folder: string,
): Promise<void> {
  const files = new Set(await readdir(folder))
  // In one order, so that two processes cannot deadlock.
  const names = [...files].filter((name) => !compressedCopy.test(name)).toSorted()
  const usedAt = now()
  const uses = await readClientAssetUses(db, names)
  const isDue = (name: string): boolean => usedAt.getTime() - (uses.get(name)?.getTime() ?? 0) >= dayMs
  const due = names.filter(isDue)
  if (due.length === 0) return
  const missing = new Map<string, Buffer>()
  for (const name of due) {
    if (!uses.has(name)) missing.set(name, await readGzipped(folder, name, files))
  }
  await db.transaction().execute(async (tx) => {
    for (const name of due) {
      const gzipped = missing.get(name)
      if (gzipped) await addClientAsset(tx, { name, gzipped, usedAt })
      else await markClientAssetUsed(tx, name, usedAt)
    }
  })
}

const readGzipped = async (folder: string, name: string, files: ReadonlySet<string>): Promise<Buffer> =>
  files.has(`${name}.gz`)
    ? readFile(join(folder, `${name}.gz`))
    : promisify(gzip)(await readFile(join(folder, name)))

/** Marks this release's assets as used, and deletes those that no recent release has used. */
export async function sweepClientAssets(ctx: Pick<JobContext, 'db' | 'now'>, folder: string): Promise<void> {
  await storeClientAssets(ctx, folder)
  await deleteClientAssets(ctx.db, { usedBefore: endsBefore(retention.clientAssets, ctx.now()) })
}
