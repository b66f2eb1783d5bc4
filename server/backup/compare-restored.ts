import { digestPostgres } from '#db/engine/dump-postgres.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { databaseName, hashFile, listBackedUpFiles, type Manifest } from './manifest.ts'

/**
 * Compares a restored database and folder of files with their backup, byte by byte, before anything
 * opens or migrates them. Returns how many parts were compared.
 * @param onFinding called with one sentence for each difference, without values
 */
export async function compareRestored(
  target: { databaseUrl: string; filesPath: string },
  { from, manifest, onFinding }: { from: string; manifest: Manifest; onFinding: (finding: string) => void },
): Promise<number> {
  const files = new Map(listBackedUpFiles(manifest).map(({ path, local }) => [path, local]))
  let compared = 0
  for (const { path, size, sha256 } of manifest.entries) {
    const file = files.get(path)
    const restored =
      file === undefined ? target.databaseUrl.slice('sqlite:'.length) : join(target.filesPath, file)
    if (path === databaseName.postgres) continue
    compared++
    const actual = existsSync(restored) ? await hashFile(restored) : null
    if (actual?.size !== size || actual.sha256 !== sha256) onFinding(`${path} differs from the backup.`)
  }
  return manifest.engine === 'sqlite' ? compared : compared + (await compareTables(target, from, onFinding))
}

async function compareTables(
  { databaseUrl }: { databaseUrl: string },
  from: string,
  onFinding: (finding: string) => void,
): Promise<number> {
  const expected = await digestPostgres(databaseUrl, join(from, databaseName.postgres))
  const restored = await digestPostgres(databaseUrl)
  for (const name of new Set([...expected.keys(), ...restored.keys()])) {
    if (expected.get(name) !== restored.get(name)) onFinding(`${name} differs from the backup.`)
  }
  return expected.size
}
