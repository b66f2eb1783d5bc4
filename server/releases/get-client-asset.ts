import type { Db } from '#db/engine/client.ts'
import { findClientAsset } from '#db/releases/client-assets.ts'

const assetName = /^[\w.-]{1,200}$/

/** An asset of a recent release, compressed with gzip; null if none has it. */
export const getClientAsset = async (db: Db, name: string): Promise<Buffer | null> =>
  assetName.test(name) ? findClientAsset(db, name) : null
