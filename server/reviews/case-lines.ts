import { findMedicines } from '#db/catalog/medicines.ts'
import { findVariantLabels } from '#db/catalog/variants.ts'
import type { LineReviewRow } from '#db/dispensing/line-reviews.ts'
import type { PrescriptionRow } from '#db/prescriptions/prescriptions.ts'
import { variantLabel } from '#domain/catalog/catalog.ts'
import { checkCandidate, listBlockers, type PatientFacts } from '#domain/dispensing/clearance.ts'
import { isUndecided } from '#domain/dispensing/dispensing.ts'
import { daysSupplyOf, refillsLeft } from '#domain/dispensing/fill-rules.ts'
import type { Medicine } from '#domain/dispensing/medicine.ts'
import type { CaseCandidate, CaseLine } from '#domain/dispensing/case-line.ts'
import type { OrderContent } from '#domain/orders/orders.ts'
import { statesThatSchedule } from '#domain/settings/state-scheduled.ts'
import type { Settings } from '#domain/settings/settings.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { readDecision } from '../dispensing/item-reader.ts'
import { findUndecidedFlags } from '../dispensing/ship-lines.ts'
import { readTranscription } from '../prescriptions/prescription-reader.ts'
import { staffName, type CaseParts } from './case-items.ts'
import { findLineMedicine } from './line-medicine.ts'
import {
  findLineEquivalents,
  findListedCodes,
  readRatedPackages,
  type RatedPackages,
} from './rated-packages.ts'

/**
 * The prescription lines of an order with what the rules say about each. `key` is the patient's.
 */
export async function readCaseLines(
  ctx: Context,
  key: KeyRing,
  parts: Omit<CaseParts, 'settings'> & {
    settings: Settings
    orderId: string
    content: OrderContent
    reviews: readonly LineReviewRow[]
    /** Whether this user may do second checks in this order. */
    mayCheck: boolean
  } & Records,
): Promise<CaseLine[]> {
  const { orderId, content, reviews, names, therapy, settings } = parts
  const rxLines = content.lines.filter(({ product }) => product.category === 'Rx')
  const linked = await findLinkedLabels(
    ctx,
    rxLines.map(({ productVariantId }) => productVariantId),
  )
  const undecidedFlags = await findUndecidedFlags(ctx, orderId, rxLines)
  const lines: CaseLine[] = []
  for (const line of rxLines) {
    const review = reviews.find(({ lineId }) => lineId === line.id)
    // The startup step has not reached this order yet.
    if (!review) continue
    const { medicine, units } = await findLineMedicine(ctx, line)
    const fill = therapy.fills.find(({ lineId, status }) => lineId === line.id && status !== 'released')
    const decision = readDecision(ctx.keys, review)
    const ordered = medicine && units !== null ? { variantId: line.productVariantId, medicine, units } : null
    const packages =
      ordered && isUndecided(review.status) ? await readRatedPackages(ctx, line.product.id) : null
    lines.push({
      id: line.id,
      patientId: review.patientId,
      dependantName: parts.dependants.get(review.patientId) ?? null,
      version: review.version,
      status: review.status,
      product: { id: line.product.id, name: line.product.name },
      variantId: line.productVariantId,
      quantity: line.quantity,
      variant: variantLabel(line.variant),
      medicine,
      units,
      linkedVariant: linked.get(line.productVariantId) ?? null,
      equivalents: packages && ordered ? findLineEquivalents(packages, line, ordered) : null,
      prescriptionId: review.prescriptionId,
      itemId: review.itemId,
      fillStatus: fill?.status ?? null,
      candidates: ordered ? listCandidates(key, line.id, ordered, packages, parts) : [],
      scheduledIn: medicine
        ? statesThatSchedule(settings.stateScheduled, medicine.ingredientSet.split('; '))
        : [],
      undecidedFlags: undecidedFlags.get(line.id) ?? [],
      blockers: findBlockers(key, review, parts),
      decision: {
        ...decision,
        notes: decision.notes.map((note) => ({ ...note, by: staffName(names, note.by) })),
      },
      decidedBy: review.decidedBy === null ? null : staffName(names, review.decidedBy),
      decidedAt: review.decidedAt?.toISOString() ?? null,
      checkedBy: review.checkedBy === null ? null : staffName(names, review.checkedBy),
      checkedAt: review.checkedAt?.toISOString() ?? null,
      canCheck:
        parts.mayCheck &&
        settings.twoPharmacists &&
        review.status === 'cleared' &&
        review.checkedBy === null &&
        review.decidedBy !== ctx.user?.id,
    })
  }
  return lines
}

/** A dependant who is gone. */
const unknownPatient: PatientFacts = { dateOfBirth: null, hasAnsweredAllergies: false }

type Records = {
  patients: ReadonlyMap<string, PatientFacts>
  /** All of the account. */
  prescriptions: readonly PrescriptionRow[]
}

/** What must be recorded first, of a patient and a prescription; without one, its transcription. */
function findBlockers(
  key: KeyRing,
  { patientId, prescriptionId }: { patientId: string; prescriptionId: string | null },
  { patients, prescriptions }: Records,
): string[] {
  const row = prescriptions.find(({ id }) => id === prescriptionId)
  const transcription = row && readTranscription(key, row)
  return listBlockers(
    patients.get(patientId) ?? unknownPatient,
    row
      ? {
          isApproved: row.status === 'approved' && Boolean(transcription),
          authentication: transcription?.authentication ?? null,
        }
      : null,
  )
}

/** The account's items of the same ingredients, those that can be cleared first. */
function listCandidates(
  key: KeyRing,
  lineId: string,
  line: { variantId: string; medicine: Medicine; units: number },
  packages: RatedPackages | null,
  { therapy: { items, fills }, numbers, settings, now, dependants, ...records }: CaseParts & Records,
): CaseCandidate[] {
  const { prescriptions } = records
  const approved = new Set(prescriptions.filter(({ status }) => status === 'approved').map(({ id }) => id))
  const rules = { fills, now, opensAtPercent: settings.refillOpensAtPercent }
  return items
    .filter(
      (item) =>
        item.medicine.ingredientSet === line.medicine.ingredientSet && approved.has(item.prescriptionId),
    )
    .map((item): CaseCandidate => {
      const check = checkCandidate(item, { ...line, lineId }, rules)
      const isSubstitute = check.needs === 'substitute' || check.needs === 'both'
      return {
        itemId: item.id,
        itemVersion: item.version,
        rxNumber: numbers.get(item.prescriptionId) ?? '',
        prescriptionId: item.prescriptionId,
        patientId: item.patientId,
        dependantName: dependants.get(item.patientId) ?? null,
        ...check,
        listed: packages && isSubstitute ? findListedCodes(packages, item, line) : null,
        daysSupply: daysSupplyOf(item, line.units),
        refillsLeft: refillsLeft(item, fills),
        blockers: findBlockers(key, item, records),
        alerts: null,
        notChecked: [],
      }
    })
    .toSorted((a, b) => rank(a) - rank(b))
}

const rank = ({ problem, isPossible }: CaseCandidate): number => (problem === null ? 0 : isPossible ? 1 : 2)

/** The labels of the variants that these are linked to in the catalog. */
async function findLinkedLabels(
  ctx: Pick<Context, 'db'>,
  variantIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await findMedicines(ctx.db, variantIds)
  const linked = rows.flatMap(({ linkedVariantId }) => linkedVariantId ?? [])
  const labels = await findVariantLabels(ctx.db, linked)
  return new Map(
    rows.flatMap(({ id, linkedVariantId }): [string, string][] => {
      const label = linkedVariantId === null ? undefined : labels.get(linkedVariantId)
      return label === undefined ? [] : [[id, label]]
    }),
  )
}
