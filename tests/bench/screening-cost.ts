import type { Db } from '#db/engine/client.ts'
import { migrate } from '#db/engine/migrate.ts'
import { seedDemo } from '#db/seed/demo.ts'
import type { ScreeningInput } from '#domain/screening/screen.ts'
import { loadCommittedLists } from '#server/screening/load-committed-lists.ts'
import { screenCase } from '#server/screening/screen-case.ts'
import { cartGenerator, readCartMedicines } from '#tests/support/screened-carts.ts'
import { patientWith } from '#tests/support/screening.ts'
import { seeded } from '#tests/support/seeded.ts'

const seed = 16

/** An empty database gets the demo's catalog and the lists that the project commits. */
export async function fillForScreening(db: Db): Promise<void> {
  await migrate(db)
  await seedDemo(db)
  await loadCommittedLists(db, 'db/seed/care', new Date())
}

/** Cases of 5 lines and 10 medications. */
function largeCases(count: number): ScreeningInput[] {
  const next = cartGenerator(readCartMedicines(), seeded(seed))
  const cases: ScreeningInput[] = []
  while (cases.length < count) {
    const parts = [next(), next(), next(), next()]
    const lines = parts.flatMap((part) => part.lines).slice(0, 5)
    const medications = parts.flatMap(({ patient }) => patient.medications).slice(0, 10)
    const patient = { ...patientWith({}), ...parts[0]?.patient, medications }
    if (lines.length < 5 || medications.length < 10) continue
    cases.push({
      today: '2026-11-22',
      lines: lines.map((line, index) => ({ ...line, id: String(index) })),
      patient: { ...patient, allergies: [{ name: 'Penicillin', kind: 'group', key: 'penicillin' }] },
    })
  }
  return cases
}

const rounds = 6

/** CPU time a case, database included: the best of some rounds, as others share the machine. */
export async function measureScreening(db: Db): Promise<{ cpuMs: number; heapMb: number }> {
  const cases = largeCases(300)
  const ctx = { db, now: new Date('2026-11-22T12:00:00Z') }
  const run = async (): Promise<void> => {
    for (const input of cases) await screenCase(ctx, { ...input, dispensed: [], turnedDown: [] })
  }
  global.gc?.()
  const before = process.memoryUsage().heapUsed
  await run()
  global.gc?.()
  const heapMb = (process.memoryUsage().heapUsed - before) / 2 ** 20
  const figures: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(started)
    figures.push((user + system) / 1000 / cases.length)
  }
  return { cpuMs: Math.min(...figures), heapMb }
}
