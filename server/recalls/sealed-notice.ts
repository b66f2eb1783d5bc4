import type { RecallNoticeRow } from '#db/recalls/recall-notices.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { bindings } from '../crypto/bindings.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { seal, unseal } from '../crypto/sealing.ts'

/** What a notice stores: the recall, the order and its lines, and the email that was queued. */
export const noticeSchema = z.object({
  recallId: z.string(),
  orderId: z.string(),
  lineIds: z.array(z.string()),
  /** Null when the account had no address, or no email was sent. */
  mailId: z.string().nullable(),
  at: z.iso.datetime(),
})
export type RecallNotice = z.output<typeof noticeSchema>

/** @param keys the shop's: orders are kept longer than an account may exist */
export const sealNotice = (keys: KeyRing, id: string, notice: RecallNotice): string =>
  seal(keys, bindings.recallNotice(id), JSON.stringify(notice))

/** Decrypts a notice. One that cannot be decrypted is logged and null. */
export function openNotice(
  { keys, log }: Pick<Context, 'keys' | 'log'>,
  { id, sealedNotice }: Pick<RecallNoticeRow, 'id' | 'sealedNotice'>,
): RecallNotice | null {
  try {
    return noticeSchema.parse(JSON.parse(unseal(keys, bindings.recallNotice(id), sealedNotice)))
  } catch (error) {
    log.error({ err: error, noticeId: id }, 'recall notice could not be decrypted')
    return null
  }
}
