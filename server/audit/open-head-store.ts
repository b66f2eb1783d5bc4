import type { Env } from '../env.ts'
import { headFile } from './head-file.ts'
import { headSink } from './head-sink.ts'
import type { HeadStore } from './saved-heads.ts'

/** The place of AUDIT_HEADS; null when there is none. */
export function openHeadStore({
  auditHeads,
  publicOrigin,
}: Pick<Env, 'auditHeads' | 'publicOrigin'>): HeadStore | null {
  if (auditHeads === null) return null
  return auditHeads.kind === 'file' ? headFile(auditHeads.path) : headSink(auditHeads.url, publicOrigin)
}
