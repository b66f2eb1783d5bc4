import { forEachConcurrent } from '#server/for-each-concurrent.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'

test('each item is worked on once, and no more than the limit at a time', async () => {
  const items = Array.from({ length: 20 }, (_, at) => at)
  const done: number[] = []
  let [running, most] = [0, 0]
  await forEachConcurrent(items, 3, async (item) => {
    most = Math.max(most, ++running)
    await sleep(1)
    running--
    done.push(item)
  })
  expect(most).toBe(3)
  expect(done.toSorted((a, b) => a - b)).toEqual(items)
})

test('after an error nothing more is started, and what runs ends before it is thrown', async () => {
  const started: number[] = []
  let ended = 0
  const work = async (item: number): Promise<void> => {
    started.push(item)
    await sleep(item === 1 ? 1 : 30)
    if (item === 1) throw new Error('No.')
    ended++
  }
  await expect(forEachConcurrent([1, 2, 3, 4, 5], 2, work)).rejects.toThrow('No.')
  expect({ started, ended }).toEqual({ started: [1, 2], ended: 1 })
})
