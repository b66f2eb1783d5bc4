import { hash, verify } from '@node-rs/argon2'

/**
 * argon2id with 19 MiB and two passes, OWASP's first choice for it.
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id
 */
/** The library's own constant is a const enum, which a module cannot import by itself. */
const argon2id = 2

const options = { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** At most so many at a time, so that a flood of sign-ins waits in line and browsing does not wait behind it. */
const atOnce = 2
let running = 0
const waiting: (() => void)[] = []

async function inLine<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) await new Promise<void>((go) => waiting.push(go))
  else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

/** The password as an argon2id hash in PHC form. */
export const hashPassword = (password: string): Promise<string> =>
  inLine(() => hash(password.normalize('NFKC'), options))

/** Whether it is the password that was hashed. */
export const isPassword = (passwordHash: string, password: string): Promise<boolean> =>
  inLine(() => verify(passwordHash, password.normalize('NFKC')))
