import type { Db } from '#db/engine/client.ts'
import { isStored } from '#db/files/files.ts'
import { forEachConcurrent } from '../for-each-concurrent.ts'
import { isInStorage, type Storage } from '../integrations/storage/storage.ts'
import { listBackedUpFiles, type Manifest } from './manifest.ts'

const filesAtOnce = 8

/**
 * Whether the shop's storage still has what the backup has of it. The next backups keep a lost file
 * by their links, so they do not show it.
 * @param onFinding called with one sentence for each lost file
 */
export async function verifyStorage(
  { shop, storage }: { shop: Db; storage: Storage },
  { manifest, onFinding }: { manifest: Manifest; onFinding: (finding: string) => void },
): Promise<void> {
  await forEachConcurrent(listBackedUpFiles(manifest), filesAtOnce, async ({ path, key }) => {
    if ((await isInStorage(storage, key)) || !(await isStored(shop, key))) return
    onFinding(`The storage has lost the file ${key}. The backup has it as ${path}.`)
  })
}
