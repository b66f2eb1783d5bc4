import { findRecallEvent, insertRecallEvent, listRecallEvents } from '#db/recalls/recorded-recalls.ts'
import { newId } from '#domain/ids.ts'
import type { RecallAction } from '#domain/screening/recorded-recall.ts'
import type { Context } from '../context.ts'
import { bindings } from '../crypto/bindings.ts'
import { seal, unseal } from '../crypto/sealing.ts'
import { findRecorded } from '../retry-with-key.ts'

type RecallEvent = { recallId: string; action: RecallAction; note: string; actorId: string }

/** With the key of the form that wrote it, which is its id. */
type KeyedEvent = Omit<RecallEvent, 'actorId'> & { requestKey: string | undefined }

/** Writes who recorded or ended a recall. The note may name a caller, so it is sealed. */
export async function writeRecallEvent(
  ctx: Context,
  { id = newId(ctx.now.getTime()), note, ...event }: RecallEvent & { id?: string | undefined },
): Promise<void> {
  const sealedNote = seal(ctx.keys, bindings.recallEvent(id), note)
  await insertRecallEvent(ctx.db, { ...event, id, sealedNote, at: ctx.now })
}

/**
 * Whether an earlier call with the same key wrote this event. Throws CONFLICT when the key wrote
 * another.
 */
export async function hasRecallEvent(
  ctx: Pick<Context, 'db' | 'keys' | 'log'>,
  { requestKey, recallId, action, note }: KeyedEvent,
): Promise<boolean> {
  const event = await findRecorded(requestKey, {
    find: (id) => findRecallEvent(ctx.db, id),
    isSame: ({ id, sealedNote, ...stored }) =>
      stored.recallId === recallId && stored.action === action && openNote(ctx, id, sealedNote) === note,
    conflict: () => 'This form was already sent, with other content. Reload the page.',
  })
  return event !== null
}

/** The events of a recall by action. A note that cannot be decrypted is logged and null. */
export async function readRecallEvents(
  ctx: Pick<Context, 'db' | 'keys' | 'log'>,
  recallId: string,
): Promise<Map<RecallAction, { actorId: string; at: Date; note: string | null }>> {
  const rows = await listRecallEvents(ctx.db, recallId)
  return new Map(
    rows.map(({ id, action, sealedNote, actorId, at }) => [
      action,
      { actorId, at, note: openNote(ctx, id, sealedNote) },
    ]),
  )
}

function openNote({ keys, log }: Pick<Context, 'keys' | 'log'>, id: string, sealedNote: string) {
  try {
    return unseal(keys, bindings.recallEvent(id), sealedNote)
  } catch (error) {
    log.error({ err: error, recallEventId: id }, 'note of a recall could not be decrypted')
    return null
  }
}
