import { hash, verify } from '@node-rs/argon2'
import { AppError } from '#domain/errors.ts'
import { availableParallelism } from 'node:os'

/** The library's own constant is a const enum, which a module cannot import by itself. */
const argon2id = 2

/**
 * argon2id with 19 MiB and two passes, OWASP's first choice for it.
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id
 */
const options = { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * At most two at a time, and one processor left to those who browse: a flood of sign-ins waits in line, and browsing does not
 * wait behind it.
 */
export const atOnce = Math.max(1, Math.min(2, availableParallelism() - 1))
/** Past that many the line is several seconds long, and whoever joins it would be gone before their turn. */
const longestLine = 200
const retryAfterSeconds = 5
let running = 0
const waiting: (() => void)[] = []

async function inLine<T>(work: () => Promise<T>): Promise<T> {
  if (running < atOnce) running++
  else {
    if (waiting.length >= longestLine) {
      throw new AppError('UNAVAILABLE', undefined, { retryAfter: retryAfterSeconds })
    }
    await new Promise<void>((go) => waiting.push(go))
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

/** The password as an argon2id hash in PHC form. Throws UNAVAILABLE when too many wait for theirs. */
export const hashPassword = (password: string): Promise<string> =>
  inLine(() => hash(password.normalize('NFKC'), options))

/**
 * Whether it is the password that was hashed. Throws UNAVAILABLE when too many wait for their turn.
 * @param atTurn runs when the turn has come and before anything is compared; what it throws ends it
 */
export const isPassword = (
  passwordHash: string,
  password: string,
  atTurn?: () => Promise<void>,
): Promise<boolean> =>
  inLine(async () => {
    await atTurn?.()
    return verify(passwordHash, password.normalize('NFKC'))
  })

/** The hash of a password that nobody has, to be compared with where there is no account: it takes as long as another. */
export const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$fWkW5Hf1f8t1zGMCtqmRBQ$mN+Y/ub3xtGpyWRFsAAq+3i8SvTVvT6AaXkQ/n/8sPA'
