import type { Env } from '../env.ts'
import { headFile, prepareHeadFile } from './head-file.ts'
import { headSink } from './head-sink.ts'
import type { HeadStore } from './saved-heads.ts'

/**
 * Throws when heads can't be saved in the file. An address is not contacted: the shop starts
 * without it.
 */
export async function prepareHeadStore(auditHeads: Env['auditHeads']): Promise<void> {
  if (auditHeads?.kind === 'file') await prepareHeadFile(auditHeads.path)
}

/** The place of AUDIT_HEADS; null when there is none. */
export function openHeadStore({
  auditHeads,
  publicOrigin,
}: Pick<Env, 'auditHeads' | 'publicOrigin'>): HeadStore | null {
  if (auditHeads === null) return null
  return auditHeads.kind === 'file' ? headFile(auditHeads.path) : headSink(auditHeads.url, publicOrigin)
}
