/**
 * Memoizes a function: directory rows repeat themselves. The cache is cleared when it reaches
 * `limit`.
 * @param keyOf the cache key of an argument
 */
export function memoize<A, R>(
  compute: (argument: A) => R,
  keyOf: (argument: A) => string,
  limit = 2000,
): (argument: A) => R {
  const results = new Map<string, R>()
  return (argument) => {
    const key = keyOf(argument)
    let result = results.get(key)
    if (result === undefined) {
      result = compute(argument)
      if (results.size >= limit) results.clear()
      results.set(key, result)
    }
    return result
  }
}
