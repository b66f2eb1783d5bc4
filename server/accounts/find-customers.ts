import {
  addFormerTokens,
  hasPersonToken,
  listIndexed,
  replacePersonTokens,
  type NameScope,
} from '#db/accounts/person-tokens.ts'
import { findProfile, lockUser } from '#db/accounts/users.ts'
import type { PersonName } from '#domain/accounts/accounts.ts'
import { indexedPrefix, personSearchWords, querySearchWords } from '#domain/accounts/user-search-words.ts'
import { inTransaction, type Context } from '../context.ts'
import { blindIndex } from '../crypto/tokens.ts'
import { openEmail, openName } from './sealed-user.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

/** 132 of the 256 bits are enough to tell words apart, and each user has about fifty tokens. */
const tokenLength = 22

const hashWord = (ctx: Pick<Context, 'keys'>, word: string): string =>
  blindIndex(ctx.keys, 'person', word).slice(0, tokenLength)

type IndexedPerson = PersonName & { id: string; email: string }

/** What `replacePersonTokens` stores. */
export const hashPerson = (ctx: Pick<Context, 'keys'>, { id, ...person }: IndexedPerson) => ({
  userId: id,
  tokens: [...personSearchWords(person)].map((word) => hashWord(ctx, word)),
})

/**
 * Indexes a user's name and email address, in the transaction that writes them. The previous tokens
 * stay as former tokens, because orders still show the old name.
 */
export const indexPerson = (ctx: Pick<Context, 'db' | 'keys'>, person: IndexedPerson): Promise<void> =>
  replacePersonTokens(ctx.db, hashPerson(ctx, person))

/** Indexes a former name and address that an order still shows. */
export const indexFormerName = (ctx: Pick<Context, 'db' | 'keys'>, person: IndexedPerson): Promise<void> =>
  addFormerTokens(ctx.db, hashPerson(ctx, person))

/**
 * The tokens that a search asks the database for (`matchesPerson`): one for each word of the typed
 * name or email address, or for its prefix. Null when nothing was typed. A word longer than the
 * indexed prefixes is looked up whole. When no user has it, its prefix is looked up instead, so
 * that results appear while the user is still typing.
 */
export async function searchTokens(
  ctx: Pick<Context, 'db' | 'keys'>,
  typed: string,
  scope: NameScope,
): Promise<string[] | null> {
  if (typed.trim() === '') return null
  return Promise.all(
    querySearchWords(typed).map(async (word) => {
      const [exact, prefix] = [hashWord(ctx, word), indexedPrefix(word)]
      const isIndexed = prefix === word || (await hasPersonToken(ctx.db, exact, scope))
      return isIndexed ? exact : hashWord(ctx, prefix)
    }),
  )
}

const batch = 100

/**
 * Indexes the users who were created before the index existed, until none is left or `signal`
 * aborts.
 */
export async function indexAllUsers(ctx: Context, signal: AbortSignal): Promise<void> {
  for (let after = ''; !signal.aborted;) {
    const users = await listIndexed(ctx.db, { after, limit: batch })
    for (const { id, isIndexed } of users) if (!isIndexed) await reindexUser(ctx, id)
    const last = users.at(-1)
    if (last === undefined || users.length < batch) return
    after = last.id
    // On SQLite, the next read would follow at once.
    await yieldToEventLoop()
  }
}

/** Holds the user's lock, so that a concurrent name change runs before or after. */
async function reindexUser(ctx: Context, id: string): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    if (!(await lockUser(ctx.db, id))) return
    const [row, key] = [await findProfile(ctx.db, id), await openUserKey(ctx, id)]
    if (row && key) await indexPerson(ctx, { id, email: openEmail(key, row), ...openName(key, row) })
  })
}
