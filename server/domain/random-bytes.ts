/** Requested in large batches, because the call costs more than the bytes. */
const pool = new Uint8Array(4096)
let used = pool.length

/** Random bytes from the system's generator, each used once. @param count at most 64 */
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
