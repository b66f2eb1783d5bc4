/**
 * A function that keeps its last answers: the rows of a directory repeat themselves. At `limit` answers it forgets all.
 * @param keyOf what tells two arguments apart
 */
export function remember<A, R>(
  work: (argument: A) => R,
  keyOf: (argument: A) => string,
  limit = 2000,
): (argument: A) => R {
  const answers = new Map<string, R>()
  return (argument) => {
    const key = keyOf(argument)
    let answer = answers.get(key)
    if (answer === undefined) {
      answer = work(argument)
      if (answers.size >= limit) answers.clear()
      answers.set(key, answer)
    }
    return answer
  }
}
