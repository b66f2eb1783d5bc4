import {
  addFormerTokens,
  hasPersonToken,
  listUnindexed,
  replacePersonTokens,
  type Names,
} from '#db/accounts/person-tokens.ts'
import { findProfile, lockUser } from '#db/accounts/users.ts'
import type { PersonName } from '#domain/accounts/accounts.ts'
import { beginningOf, wordsOfPerson, wordsOfSearch } from '#domain/accounts/user-messages.ts'
import { inTransaction, type Context } from '../context.ts'
import { blindIndex } from '../crypto/tokens.ts'
import { openEmail, openName } from './sealed-user.ts'
import { openUserKey } from '../crypto/user-key.ts'

/** Of 256 bits 132 tell words apart as well, and each user has some fifty of them. */
const tokenLength = 22

const tokenOf = (ctx: Pick<Context, 'keys'>, word: string): string =>
  blindIndex(ctx.keys, 'person', word).slice(0, tokenLength)

type Indexed = PersonName & { id: string; email: string }

const found = (ctx: Pick<Context, 'keys'>, { id, ...person }: Indexed) => ({
  userId: id,
  tokens: [...wordsOfPerson(person)].map((word) => tokenOf(ctx, word)),
})

/**
 * Notes what a user is found by, in the transaction that writes the name or the e-mail address. By what was before, their orders are
 * found still: they show it.
 */
export const indexPerson = (ctx: Pick<Context, 'db' | 'keys'>, person: Indexed): Promise<void> =>
  replacePersonTokens(ctx.db, found(ctx, person))

/** Notes by which name and address a user's orders are found besides. */
export const indexFormerName = (ctx: Pick<Context, 'db' | 'keys'>, person: Indexed): Promise<void> =>
  addFormerTokens(ctx.db, found(ctx, person))

/**
 * What a search for people by their names of now or of all time asks the database for (`matchesPerson`): a token for each word of the name or e-mail address that was typed,
 * or for how it begins. Null when nothing was typed. A word longer than what is kept of beginnings is looked for as it is, and
 * where nobody has it, by its first letters: so somebody who is still typing sees whom they mean.
 */
export async function tokensOfSearch(
  ctx: Pick<Context, 'db' | 'keys'>,
  typed: string,
  names: Names,
): Promise<string[] | null> {
  if (typed.trim() === '') return null
  return Promise.all(
    wordsOfSearch(typed).map(async (word) => {
      const [whole, beginning] = [tokenOf(ctx, word), beginningOf(word)]
      const isKept = beginning === word || (await hasPersonToken(ctx.db, whole, names))
      return isKept ? whole : tokenOf(ctx, beginning)
    }),
  )
}

const batch = 100

/** Makes those findable who have been there since before anybody could be found, until all are or `signal` says stop. */
export async function indexEverybody(ctx: Context, signal: AbortSignal): Promise<void> {
  for (let after = ''; !signal.aborted;) {
    const ids = await listUnindexed(ctx.db, { after, limit: batch })
    for (const id of ids) await indexAgain(ctx, id)
    const last = ids.at(-1)
    if (last === undefined || ids.length < batch) return
    after = last
  }
}

/** Under the user's lock: whoever changes the name at the same time comes before or after. */
async function indexAgain(ctx: Context, id: string): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    if (!(await lockUser(ctx.db, id))) return
    const [row, key] = [await findProfile(ctx.db, id), await openUserKey(ctx, id)]
    if (row && key) await indexPerson(ctx, { id, email: openEmail(key, row), ...openName(key, row) })
  })
}
