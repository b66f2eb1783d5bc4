import { listMailStates } from '#db/recalls/recall-notices.ts'
import type { Context } from '../context.ts'
import type { RecallNotice } from './sealed-notice.ts'

/** The state of an email about a recall; `none` when the account had no address. */
export type Reached = 'waiting' | 'sent' | 'failed' | 'none'

/** Finds how far the emails of these notices are. */
export async function readReached(
  { db }: Pick<Context, 'db'>,
  notices: readonly Pick<RecallNotice, 'mailId'>[],
): Promise<(notice: Pick<RecallNotice, 'mailId'>) => Reached> {
  const mails = await listMailStates(
    db,
    notices.flatMap(({ mailId }) => mailId ?? []),
  )
  const stateOf = new Map(
    mails.map(({ id, sentAt, failedAt }): [string, Reached] => [
      id,
      sentAt ? 'sent' : failedAt ? 'failed' : 'waiting',
    ]),
  )
  return ({ mailId }) => (mailId === null ? undefined : stateOf.get(mailId)) ?? 'none'
}
