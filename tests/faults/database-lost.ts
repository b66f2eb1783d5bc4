import { openDatabase } from '#db/engine/client.ts'
import { jobLimits } from '#db/engine/statement-limits.ts'
import type { CrashingPostgres } from '#tests/support/postgres.ts'
import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCuttableNetwork } from './cuttable-network.ts'
import type { Fault, Outcome } from './journal.ts'
import { runOutages } from './outage.ts'
import { withOwnPostgres } from './own-postgres.ts'
import { openPooler } from './pooler.ts'
import { startServices } from './services.ts'
import { openSite } from './site.ts'

const defaultSeconds = 120
/** Until the statement has arrived, so that no packet of it waits for an acknowledgment. */
const [statementSeconds, arrivalMs] = [5, 1000]
/** Half a minute of the pooler's, and a busy machine. */
const jobLimitMs = 40_000
/** Between the two times. */
const pauseMs = 10_000

/**
 * The machine of Postgres vanishes twice without a packet, behind PgBouncer. First it comes back as
 * it was, then after a crash. Requests and a job's statement end in time, and the shop works again
 * without a restart.
 */
export const databaseLost: Fault = async (_site, times, { seconds = defaultSeconds }) => {
  const network = openCuttableNetwork()
  const withMachine = async (postgres: CrashingPostgres): Promise<Outcome> => {
    const pooler = await openPooler(postgres.url)
    const site = openSite('postgres', postgres.url)
    const jobTimes: number[] = []
    const vanish = async (ms: number, { crashes }: { crashes: boolean }): Promise<void> => {
      const job = runJobStatement(pooler.url)
      await sleep(arrivalMs)
      network.cut()
      const cutAt = performance.now()
      const [endedAt] = await Promise.all([Promise.race([job, sleep(ms, null)]), sleep(ms)])
      jobTimes.push(Math.round((endedAt ?? performance.now()) - cutAt))
      if (crashes) await postgres.crash()
      network.restore()
      if (crashes) await postgres.start()
    }
    const happen = async (ms: number): Promise<void> => {
      await vanish(ms / 2, { crashes: false })
      await sleep(pauseMs)
      await vanish(ms / 2, { crashes: true })
    }
    try {
      const services = await startServices(site, pooler.url)
      const outcome = await runOutages(site, services, { kind: 'machine', happen }, { times, seconds })
      const late = jobTimes.filter((ms) => ms > jobLimitMs)
      outcome.findings.push(...late.map((ms) => `a job waited for ${ms} ms`))
      outcome.facts['slowestJobMs'] = Math.max(...jobTimes)
      return outcome
    } finally {
      await site.close()
      await pooler.close()
    }
  }
  try {
    return await withOwnPostgres(null, withMachine, { machine: network })
  } finally {
    network.remove()
  }
}

/** Runs a statement as a job does. Returns when it failed or was answered. */
async function runJobStatement(url: string): Promise<number> {
  const db = openDatabase(url, () => {}, { limits: jobLimits })
  try {
    await sql`select pg_sleep(${statementSeconds})`.execute(db).catch(() => {})
    return performance.now()
  } finally {
    // A connection that hangs would not close.
    void db.destroy()
  }
}
