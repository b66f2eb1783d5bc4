import { hash, verify } from '@node-rs/argon2'
import { AppError } from '#domain/errors.ts'
import { availableParallelism } from 'node:os'

/** The library's constant is a const enum, which cannot be imported under `isolatedModules`. */
const argon2id = 2

/**
 * argon2id with 19 MiB and two passes, the first choice of OWASP.
 *
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id
 */
const options = { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * At most two hashes run at a time, and one processor stays free. A flood of sign-ins queues up
 * instead of slowing down browsing.
 */
export const maxConcurrent = Math.max(1, Math.min(2, availableParallelism() - 1))
/** A longer queue takes several seconds, and most clients would have given up before their turn. */
const maxQueued = 200
/** What one client may take of the queue, so that it cannot fill it. Many can share an address. */
const maxQueuedPerClient = 100
const retryAfterSeconds = 5
let running = 0
let queued = 0
/** Waiting callers by client. Clients take turns, so one client's flood delays only itself. */
const queue = new Map<string, (() => void)[]>()

async function withHashSlot<T>(client: string, work: () => Promise<T>): Promise<T> {
  if (running < maxConcurrent) running++
  else await waitForTurn(client)
  try {
    return await work()
  } finally {
    const next = takeNext()
    if (next) next()
    else running--
  }
}

function waitForTurn(client: string): Promise<void> {
  const own = queue.get(client) ?? []
  if (queued >= maxQueued || own.length >= maxQueuedPerClient) {
    throw new AppError('UNAVAILABLE', undefined, { retryAfter: retryAfterSeconds })
  }
  return new Promise((resume) => {
    queue.set(client, [...own, resume])
    queued++
  })
}

/** The first client in the queue has its turn and goes to the end with what is left. */
function takeNext(): (() => void) | null {
  for (const [client, [next, ...left]] of queue) {
    queue.delete(client)
    if (left.length > 0) queue.set(client, left)
    if (!next) continue
    queued--
    return next
  }
  return null
}

/** The client of commands, which have the queue to themselves. */
const noClient = 'no client'

/**
 * Hashes a password with argon2id, in PHC form. Throws UNAVAILABLE when the queue is full.
 * @param client the caller's address, which takes turns with the others
 */
export const hashPassword = (password: string, client = noClient): Promise<string> =>
  withHashSlot(client, () => hash(password.normalize('NFKC'), options))

/**
 * Whether the password matches the hash. Throws UNAVAILABLE when the queue is full.
 * @param options.client as in `hashPassword`
 * @param options.beforeVerify runs after the wait and before the comparison; what it throws ends
 * the attempt
 */
export const verifyPassword = (
  passwordHash: string,
  password: string,
  { client = noClient, beforeVerify }: { client?: string; beforeVerify?: () => Promise<void> } = {},
): Promise<boolean> =>
  withHashSlot(client, async () => {
    await beforeVerify?.()
    return verify(passwordHash, password.normalize('NFKC'))
  })

/**
 * The hash of a random password. A sign-in to an unknown account is compared with it, so that it
 * takes as long as any other.
 */
export const dummyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$fWkW5Hf1f8t1zGMCtqmRBQ$mN+Y/ub3xtGpyWRFsAAq+3i8SvTVvT6AaXkQ/n/8sPA'
