import { insertRecallEvent, listRecallEvents } from '#db/recalls/recorded-recalls.ts'
import { newId } from '#domain/ids.ts'
import type { RecallAction } from '#domain/screening/recorded-recall.ts'
import type { Context } from '../context.ts'
import { bindings } from '../crypto/bindings.ts'
import { seal, unseal } from '../crypto/sealing.ts'

type RecallEvent = { recallId: string; action: RecallAction; note: string; actorId: string }

/** Writes who recorded or ended a recall. The note may name a caller, so it is sealed. */
export async function writeRecallEvent(ctx: Context, { note, ...event }: RecallEvent): Promise<void> {
  const id = newId(ctx.now.getTime())
  const sealedNote = seal(ctx.keys, bindings.recallEvent(id), note)
  await insertRecallEvent(ctx.db, { ...event, id, sealedNote, at: ctx.now })
}

/** The events of a recall, oldest first. A note that cannot be decrypted is logged and says so. */
export async function readRecallEvents(
  ctx: Pick<Context, 'db' | 'keys' | 'log'>,
  recallId: string,
): Promise<{ actorId: string; at: Date; note: string }[]> {
  const rows = await listRecallEvents(ctx.db, recallId)
  return rows.map(({ id, sealedNote, actorId, at }) => ({ actorId, at, note: openNote(ctx, id, sealedNote) }))
}

function openNote({ keys, log }: Pick<Context, 'keys' | 'log'>, id: string, sealedNote: string): string {
  try {
    return unseal(keys, bindings.recallEvent(id), sealedNote)
  } catch (error) {
    log.error({ err: error, recallEventId: id }, 'note of a recall could not be decrypted')
    return 'This note can’t be decrypted.'
  }
}
