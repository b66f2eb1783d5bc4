import { parseLogPosition, trackLag } from '#db/engine/replica-lag.ts'
import { expect, test } from 'vitest'

test('positions of the log compare across the boundary of a file', () => {
  expect(parseLogPosition('1/0')).toBeGreaterThan(parseLogPosition('0/FFFFFFFF'))
  expect(parseLogPosition('16/B374D848')).toBe(0x16b374d848n)
  expect(() => parseLogPosition('late')).toThrow('Not a position')
})

test('the lag is unknown until the replica has replayed a noted position', () => {
  const lag = trackLag()
  lag.notePrimary(1000, 50n)
  expect(lag.staleMs(1000)).toBe(Infinity)
  lag.noteReplica(49n)
  expect(lag.staleMs(1000)).toBe(Infinity)
  lag.noteReplica(50n)
  expect(lag.staleMs(1200)).toBe(200)
})

test('a replica that replays half of the log is as old as the newest position it has', () => {
  const lag = trackLag()
  for (const [at, position] of [
    [1000, 50n],
    [2000, 60n],
    [3000, 90n],
  ] as const)
    lag.notePrimary(at, position)
  lag.noteReplica(89n)
  expect(lag.staleMs(3000)).toBe(1000)
  lag.noteReplica(90n)
  expect(lag.staleMs(3000)).toBe(0)
})

test('on an idle primary the replica stays current, and without measurements it grows late', () => {
  const lag = trackLag()
  for (const at of [1000, 2000, 3000]) {
    lag.notePrimary(at, 50n)
    lag.noteReplica(50n)
  }
  expect(lag.staleMs(3100)).toBe(100)
  expect(lag.staleMs(9000)).toBe(6000)
})

test('a replica that goes back in the log does not make the lag smaller', () => {
  const lag = trackLag()
  lag.notePrimary(1000, 50n)
  lag.notePrimary(2000, 60n)
  lag.noteReplica(60n)
  lag.noteReplica(50n)
  expect(lag.staleMs(2500)).toBe(500)
})
