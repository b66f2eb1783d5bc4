import type { Site } from './site.ts'

/** What the shop acknowledged to the clients of a run, and what else they saw. */
export type Journal = {
  /** Payments that succeeded or were authorized at the provider. */
  paid: Set<string>
  /** Orders by id. */
  orders: Map<string, { paymentId: string; total: string }>
  /** Orders that an admin tried to cancel, and those that the shop acknowledged. */
  cancelling: Set<string>
  cancelled: Set<string>
  /** Orders that a pharmacist tried to ship, and those that the shop acknowledged. */
  shipping: Set<string>
  shipped: Set<string>
  /** Prescription lines that pharmacists cleared and refused. */
  cleared: Set<string>
  refused: Set<string>
  /** Stock adjustments by their notes: the acknowledged ones, and those with an unknown result. */
  adjusted: Map<string, number>
  unsure: Map<string, number>
  /** Requests that were pending when the shop ended. */
  unanswered: number
  /** The disk is gone under a running shop: it may report a failure, but not a success. */
  isBroken: boolean
  /** Expected rejections, by status and message. */
  rejected: Map<string, number>
  findings: string[]
}

export const newJournal = (): Journal => ({
  paid: new Set(),
  orders: new Map(),
  cancelling: new Set(),
  cancelled: new Set(),
  shipping: new Set(),
  shipped: new Set(),
  cleared: new Set(),
  refused: new Set(),
  adjusted: new Map(),
  unsure: new Map(),
  unanswered: 0,
  isBroken: false,
  rejected: new Map(),
  findings: [],
})

/** The result of a fault's trials. */
export type Outcome = {
  /** How often the fault was triggered. */
  trials: number
  /** What must never happen. Empty when all is well. */
  findings: string[]
  /** Other counts, for the reader: orders, unanswered requests, milliseconds. */
  facts: Record<string, number>
}

/**
 * @param oldFolder an earlier version, built, for deploys and rollbacks
 * @param seconds how long an outage lasts
 */
type How = { isShort: boolean; oldFolder?: string; seconds?: number }

/** Triggers a fault this many times at one site and verifies the shop from outside. */
export type Fault = (site: Site, times: number, how: How) => Promise<Outcome>
