import type { Db } from '#db/engine/client.ts'
import { findClientAsset } from '#db/releases/client-assets.ts'

const assetName = /^[\w.-]{1,200}$/

/** A file of a release that ran lately, compressed by gzip; null if none has it. */
export const getClientAsset = async (db: Db, name: string): Promise<Buffer | null> =>
  assetName.test(name) ? findClientAsset(db, name) : null
