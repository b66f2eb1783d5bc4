import { addMonths } from '#domain/days.ts'
import {
  checkFill,
  daysSupplyOf,
  lastValidDay,
  type Fill,
  type FillProblem,
  type Item,
} from '#domain/dispensing/fill-rules.ts'
import { toMedicine, unitsOf, type MedicineSource } from '#domain/dispensing/medicine.ts'
import { resolveLine, type LineResolution } from '#domain/dispensing/resolve-line.ts'
import type { LineReviewStatus } from '#domain/dispensing/dispensing.ts'
import { seededRandom, type Random } from '#domain/seeded-random.ts'
import { isNightly } from '#tests/support/nightly.ts'
import { expect, test } from 'vitest'

const steps = isNightly ? 1_000_000 : 400_000
/** A new shop starts after this many steps, so that its lists stay short. */
const stepsPerShop = 250
const opensAtPercent = 75
const dayMs = 24 * 3600 * 1000

const variant = (name: string, strength: string, packageSize: number): MedicineSource => ({
  product: { name, ingredients: name, route: 'oral' },
  variant: {
    genericName: name,
    brandName: null,
    strength,
    strengthUnit: 'mg',
    labelStrength: null,
    dosageForm: 'tablet',
    labelForm: 'TABLET',
    packageSize,
    packageUnit: 'tablet',
  },
})

const variants: [MedicineSource, ...MedicineSource[]] = [
  variant('Alphapril', '10', 30),
  variant('Alphapril', '10', 59),
  variant('Betaformin', '500', 30),
  variant('Betaformin', '500', 7),
]

type Line = {
  id: string
  source: MedicineSource
  units: number
  itemId: string | null
  status: LineReviewStatus
  /** A checkout has no order yet. An ended line will never ship. */
  stage: 'checkout' | 'ordered' | 'shipped' | 'ended'
}

/** How often each happened, so that the test knows what its generator reaches. */
const newCounts = () => ({ dispensed: 0, exhausted: 0, early: 0, inProgress: 0, stale: 0, returned: 0 })

/** A transaction that has read the customer's items and fills, and has not written yet. */
type Pending =
  | { kind: 'reserve'; line: Line; item: Item }
  | { kind: 'clear'; line: Line; item: Item; allowsEarly: boolean }
  | { kind: 'edit'; item: Item; changed: Item }

/**
 * A customer with prescription items, their orders and a pharmacist. Concurrent transactions read
 * first and write later. A write holds only if its item is still at the version that it read, which
 * is all that the database guarantees between two devices of a customer and two pharmacists.
 * @param isLocked whether all writes of the customer wait for each other, as the row lock makes
 *   them
 */
function openShop(random: Random, isLocked: boolean) {
  let now = new Date('2026-03-01T12:00:00Z')
  const items = new Map<string, Item>()
  const fills: Fill[] = []
  const lines: Line[] = []
  const pending: Pending[] = []
  /** What the test counts by itself: units that left, by item. */
  const left = new Map<string, number>()
  const counts = newCounts()
  let created = 0

  const newId = (): string => `id-${String(++created).padStart(5, '0')}`

  function transcribe(): void {
    if (items.size >= 5) return
    const source = random.pick(variants)
    const id = newId()
    const unitsPerFill = random.pick([30, 30, 60, 87, 7])
    const today = now.toISOString().slice(0, 10)
    items.set(id, {
      id,
      prescriptionId: id,
      status: 'active',
      version: 1,
      patientId: 'patient',
      medicine: toMedicine(source),
      dispenseAsWritten: null,
      unitsPerFill,
      daysSupply: random.pick([7, 30, unitsPerFill]),
      directions: '',
      refills: random.below(4),
      writtenOn: addMonths(today, -random.below(12)),
      validUntil: random.chance(0.3) ? addMonths(today, 1 + random.below(3)) : null,
      prescriberName: 'Dr. Ada Quillfeather',
      closedReason: null,
      agreements: [],
    })
  }

  function resolve(line: Line): LineResolution {
    return resolveLine(
      { id: line.id, medicine: toMedicine(line.source), units: line.units },
      { items: [...items.values()], fills },
      random.chance(0.3) ? { id: 'new', isTranscribed: false, patientId: 'patient' } : null,
      { now, opensAtPercent },
    )
  }

  function startCheckout(): void {
    const source = random.pick(variants)
    const units = unitsOf(source, 1 + random.below(random.pick([1, 2, 4])))
    const line: Line = {
      id: newId(),
      source,
      units,
      itemId: null,
      status: 'waiting',
      stage: 'checkout',
    }
    const resolution = resolve(line)
    if (resolution.kind === 'covered') pending.push({ kind: 'reserve', line, item: resolution.item })
    else if (resolution.kind === 'to review') lines.push(line)
    else if (resolution.kind === 'refused') count(resolution.problem)
    if (isLocked) write()
  }

  function count({ kind }: FillProblem): void {
    if (kind === 'nothing left') counts.exhausted++
    if (kind === 'too early') counts.early++
    if (kind === 'in progress') counts.inProgress++
  }

  /** A pharmacist opens a line that waits and decides for an item. */
  function startClearing(): void {
    const waiting = lines.filter(({ stage, status }) => stage === 'ordered' && status === 'waiting')
    const line = waiting[random.below(waiting.length)]
    const all = [...items.values()]
    const item = line?.itemId ? items.get(line.itemId) : all[random.below(all.length)]
    if (!line || !item) return
    const allowsEarly = random.chance(0.1)
    const found = problem(item, line, allowsEarly)
    if (found) count(found)
    else pending.push({ kind: 'clear', line, item, allowsEarly })
    if (isLocked) write()
  }

  const problem = (item: Item, line: Line, allowsEarly = false) =>
    checkFill(item, fills, {
      medicine: toMedicine(line.source),
      units: line.units,
      lineId: line.id,
      now,
      opensAtPercent,
      allowsEarly,
    })

  /** A pharmacist closes an item or changes what it allows, in a new version. */
  function startEdit(): void {
    const all = [...items.values()]
    const item = all[random.below(all.length)]
    if (!item) return
    const changed = random.pick<Partial<Item>>([
      { status: 'closed' },
      { unitsPerFill: random.pick([7, 30, 60, 90]) },
      { refills: random.below(4) },
      { validUntil: now.toISOString().slice(0, 10) },
    ])
    pending.push({ kind: 'edit', item, changed: { ...item, ...changed } })
    if (isLocked) write()
  }

  /** One of the transactions that have read writes. It is refused when its item has changed. */
  function write(): void {
    const [next] = pending.splice(random.below(pending.length), 1)
    if (!next) return
    const current = items.get(next.item.id)
    if (!current || current.version !== next.item.version) {
      counts.stale++
      if (next.kind === 'reserve') retry(next.line)
      return
    }
    if (next.kind === 'edit') {
      items.set(current.id, { ...next.changed, version: current.version + 1 })
      reopenLines(current.id)
      return
    }
    const { line } = next
    const live = fillOf(line)
    if (next.kind === 'reserve') addFill(line, current)
    // The line was decided or cancelled in the meantime: its review has another version.
    else if (line.status !== 'waiting' || line.stage !== 'ordered') return
    else {
      if (isLocked) expectValid(current)
      if (isLocked && !next.allowsEarly) expectNotTooEarly(current, line)
      if (live && live.itemId !== current.id) live.status = 'released'
      const fill = live?.itemId === current.id ? live : addFill(line, current)
      fill.status = 'cleared'
      line.status = 'cleared'
    }
    line.itemId = current.id
    items.set(current.id, { ...current, version: current.version + 1 })
  }

  function retry(line: Line): void {
    const resolution = resolve(line)
    if (resolution.kind === 'covered') pending.push({ kind: 'reserve', line, item: resolution.item })
  }

  const fillOf = (line: Line): Fill | undefined =>
    fills.find(({ lineId, status }) => lineId === line.id && status !== 'released')

  function addFill(line: Line, item: Item): Fill {
    const fill: Fill = {
      id: newId(),
      itemId: item.id,
      lineId: line.id,
      status: 'reserved',
      units: line.units,
      daysSupply: daysSupplyOf(item, line.units),
      ingredientSet: item.medicine.ingredientSet,
      dispensedAt: null,
      isUnordered: line.stage === 'checkout',
    }
    fills.push(fill)
    if (!lines.includes(line)) lines.push(line)
    return fill
  }

  /** Cleared lines of an edited item go back to the queue (rule 7). */
  function reopenLines(itemId: string): void {
    for (const line of lines) {
      if (line.itemId === itemId && line.status === 'cleared' && line.stage === 'ordered')
        line.status = 'waiting'
    }
  }

  function pickLine(stage: Line['stage']): Line | undefined {
    const found = lines.filter((line) => line.stage === stage)
    return found[random.below(found.length)]
  }

  function order(): void {
    const line = pickLine('checkout')
    if (!line) return
    line.stage = 'ordered'
    const fill = fillOf(line)
    if (fill) fill.isUnordered = false
  }

  /** A checkout expires, an order is cancelled, or a pharmacist refuses the line. */
  function end(stage: 'checkout' | 'ordered'): void {
    const line = pickLine(stage)
    if (!line) return
    line.stage = 'ended'
    line.status = 'refused'
    const fill = fillOf(line)
    if (fill) fill.status = 'released'
  }

  function ship(): void {
    const line = pickLine('ordered')
    const fill = line && fillOf(line)
    const item = fill && items.get(fill.itemId)
    // What the shipping guard requires of a line.
    if (!item || line.status !== 'cleared' || fill.status !== 'cleared' || item.status === 'closed') return
    if (lastValidDay(item) < now.toISOString().slice(0, 10)) {
      line.status = 'waiting'
      return
    }
    expectAllowed(item, fill)
    fill.status = 'dispensed'
    fill.dispensedAt = now
    line.stage = 'shipped'
    left.set(item.id, (left.get(item.id) ?? 0) + fill.units)
    counts.dispensed++
  }

  /** A pharmacist records that the parcel did not leave. */
  function bringBack(): void {
    const line = pickLine('shipped')
    const fill = line && fillOf(line)
    if (!fill) return
    fill.status = 'released'
    line.stage = 'ended'
    left.set(fill.itemId, (left.get(fill.itemId) ?? 0) - fill.units)
    counts.returned++
  }

  /** Computed without the rules' own functions. */
  function expectAllowed(item: Item, fill: Fill): void {
    const authorized = item.unitsPerFill * (item.refills + 1)
    const afterwards = (left.get(item.id) ?? 0) + fill.units
    if (afterwards > authorized || fill.units > item.unitsPerFill || fill.units <= 0) {
      throw new Error(
        `${fill.units} units left on ${JSON.stringify(item)}, ${afterwards} of ${authorized} in all`,
      )
    }
    expectValid(item)
  }

  function expectValid({ status, writtenOn, validUntil }: Item): void {
    const yearLater = new Date(`${writtenOn}T23:59:59Z`)
    yearLater.setUTCFullYear(yearLater.getUTCFullYear() + 1)
    const today = now.toISOString().slice(0, 10)
    if (status === 'closed' || now > yearLater || (validUntil !== null && today > validUntil))
      throw new Error(`On ${today} a ${status} item of ${writtenOn}, valid until ${validUntil}, was used`)
  }

  /** No other fill of the ingredients waits, and three quarters of each earlier one are used. */
  function expectNotTooEarly({ medicine }: Item, line: Line): void {
    for (const fill of fills) {
      if (fill.lineId === line.id || fill.ingredientSet !== medicine.ingredientSet) continue
      const usedDays = fill.dispensedAt ? (now.getTime() - fill.dispensedAt.getTime()) / dayMs : 0
      const isTooEarly = fill.status === 'dispensed' && usedDays < fill.daysSupply * 0.75
      if (isTooEarly || fill.status === 'reserved' || fill.status === 'cleared') {
        throw new Error(`${line.id} was cleared ${usedDays} days after ${JSON.stringify(fill)}`)
      }
    }
  }

  function step(): void {
    const action = random.below(100)
    if (action < 3) transcribe()
    else if (action < 22) startCheckout()
    else if (action < 36) order()
    else if (action < 54) startClearing()
    else if (action < 70) write()
    else if (action < 86) ship()
    else if (action < 87) end('checkout')
    else if (action < 88) end('ordered')
    else if (action < 89) startEdit()
    else if (action < 90) bringBack()
    else now = new Date(now.getTime() + dayMs * (1 + random.below(24)))
  }

  return { step, transcribe, counts }
}

const countNames = Object.keys(newCounts()) as (keyof ReturnType<typeof newCounts>)[]

test('no sequence of orders, cancellations, edits and concurrent writes dispenses a unit too many', () => {
  const seed = process.env['DISPENSING_SEED'] ?? String(Date.now())
  const totals = newCounts()
  const startedCpu = process.cpuUsage()
  for (let shops = 0; shops * stepsPerShop < steps; shops++) {
    const name = `${seed}-${shops}`
    const shop = openShop(seededRandom(name), shops % 2 === 0)
    shop.transcribe()
    try {
      for (let step = 0; step < stepsPerShop; step++) shop.step()
    } catch (error) {
      throw new Error(`DISPENSING_SEED=${seed}, shop ${shops}`, { cause: error })
    }
    for (const key of countNames) totals[key] += shop.counts[key]
  }
  const { user } = process.cpuUsage(startedCpu)
  process.stdout.write(
    `${steps} steps of seed ${seed} in ${(user / 1e6).toFixed(1)} s: ${JSON.stringify(totals)}\n`,
  )
  // The generator reaches what it is for.
  for (const count of Object.values(totals)) expect(count).toBeGreaterThan(steps / 2000)
})
