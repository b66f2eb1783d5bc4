import { z } from 'zod'
import { screeningLists } from '../screening/alert.ts'
import { adjustableKinds } from '../screening/rules.ts'

/** A drug that only a state schedules as a controlled substance. */
const stateScheduledSchema = z.object({
  ingredient: z.string(),
  /** The state's two-letter code. */
  state: z.string(),
})
export type StateScheduledDrug = z.output<typeof stateScheduledSchema>

/** A rule of the screening that an admin turned down (`server/domain/screening/rules.ts`). */
const turnedDownSchema = z.object({
  kind: z.enum(adjustableKinds),
  list: z.enum(screeningLists).nullable(),
  grade: z.string().nullable(),
})

/** The shop's settings, each with its default. Amounts are US cents. */
export const settingsSchema = z.object({
  /** The most that staff without `refunds.unlimited` refund of one order. */
  supportRefundLimitCents: z.int().min(0).max(10_000_000).default(10_000),
  /** Refunding more than this of one order needs a recent code of the second factor. */
  codeAboveRefundCents: z.int().min(0).max(10_000_000).default(25_000),
  /** A refill opens when this part of the last fill's days' supply has passed. */
  refillOpensAtPercent: z.int().min(50).max(100).default(75),
  /** Whether a second pharmacist checks each order before it ships. */
  twoPharmacists: z.boolean().default(false),
  /**
   * How long before an authorization lapses the shop captures what a pharmacist has cleared until
   * then.
   */
  captureMarginHours: z.int().min(1).max(96).default(24),
  /**
   * How long dispensing records are kept, from shipping. Until an admin saves it, the environment's
   * RECORD_RETENTION_YEARS applies (`getSettings`).
   */
  retentionYears: z.int().min(1).max(100).default(10),
  /** Admins are warned about a list for screening orders that is older than this. */
  careListMaxAgeDays: z.int().min(1).max(3650).default(180),
  /** Customers are notified of a recall of what shipped to them in the last so many days. */
  recallNoticeDays: z.int().min(1).max(3650).default(365),
  /** Drugs that only a state schedules. Admins keep the list; pharmacists see it. */
  stateScheduled: z.array(stateScheduledSchema).default([]),
  /** Rules of alerts that are folded and need no decision. Changed on the page of alerts. */
  turnedDownAlerts: z.array(turnedDownSchema).default([]),
})
export type Settings = z.output<typeof settingsSchema>
export type SettingName = keyof Settings
