/** Asked for many at once: a call costs more than what it gives. */
const pool = new Uint8Array(4096)
let used = pool.length

/** A few random bytes of the system's generator, each given once. @param count at most 64 */
export function randomBytes(count: number): Uint8Array<ArrayBuffer> {
  if (used + count > pool.length) {
    crypto.getRandomValues(pool)
    used = 0
  }
  used += count
  const given = pool.slice(used - count, used)
  pool.fill(0, used - count, used)
  return given
}
