import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { composeFaults, composeTargets } from './deploy-compose.ts'
import { dockerfileFaults } from './deploy-dockerfile.ts'
import { manifestFaults } from './deploy-manifests.ts'
import { deployPaths } from './deploy-paths.ts'
import { shellFaults, shellScripts } from './deploy-shell.ts'

/** What is wrong in a folder like deploy/, as far as npm packages and /bin/sh can see. */
export function deployFileFaults(folder: string): string[] {
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8')
  const manifests = deployPaths(folder).filter(
    (path) => path.startsWith('kubernetes/') && path !== 'kubernetes/kustomization.yaml',
  )
  const compose = composeFaults(read('compose.yaml'))
  const targets = compose.length === 0 ? composeTargets(read('compose.yaml')) : []
  return [
    ...compose,
    ...dockerfileFaults(read('Dockerfile'), targets),
    ...manifests.flatMap((path) => manifestFaults(path, read(path))),
    ...shellFaults(shellScripts(folder)),
  ]
}
