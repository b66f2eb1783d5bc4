import type { Db } from '#db/engine/client.ts'
import { listStorageKeys } from '#db/files/files.ts'
import { parseHead } from '../audit/saved-heads.ts'
import { verifyAudit } from '../audit/verify-audit.ts'
import { verifyStock } from '../checkout/verify-stock.ts'
import type { ShopKeys } from '../crypto/key-ring.ts'
import { isInStorage, type Storage } from '../integrations/storage/storage.ts'
import { verifyFills } from '../reviews/verify-fills.ts'

const batch = 500

export type RestoredSummary = { files: number; audit: number; stock: number; fills: number; missing: number }

/**
 * What `audit:verify`, `stock:verify` and `fills:verify` find in a restored shop, also against the
 * head of the audit chain in the manifest, and whether every file of the database can be opened.
 * @param onFinding called with one sentence per finding, without values
 * @param wasDeleted whether a missing file was deleted since the snapshot, which is no finding
 */
export async function verifyRestored(
  { db, keys, storage }: { db: Db; keys: ShopKeys; storage: Storage },
  {
    auditHead,
    onFinding,
    wasDeleted = async () => false,
  }: {
    auditHead: string | null
    onFinding: (finding: string) => void
    wasDeleted?: (name: string) => Promise<boolean>
  },
): Promise<RestoredSummary> {
  const head = auditHead === null ? null : parseHead(auditHead)
  const audit = await verifyAudit(db, { keys, savedHeads: head ? [head] : [], onFinding })
  const stock = await verifyStock({ db, keys }, onFinding)
  const fills = await verifyFills({ db, keys }, onFinding)
  let [files, missing, after] = [0, 0, '']
  for (;;) {
    const names = await listStorageKeys(db, { after, limit: batch })
    for (const name of names) {
      files++
      if ((await isInStorage(storage, name)) || (await wasDeleted(name))) continue
      missing++
      onFinding(`The file ${name} is not in the storage.`)
    }
    after = names.at(-1) ?? after
    if (names.length < batch) break
  }
  return { files, audit: audit.findings, stock: stock.findings, fills: fills.findings, missing }
}
