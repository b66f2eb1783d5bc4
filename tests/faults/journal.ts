import type { Site } from './site.ts'

/** What the shop has acknowledged to the clients of a run, and what they met besides. */
export type Journal = {
  /** Payments of which the provider said that they succeeded. */
  paid: Set<string>
  /** Orders by id. */
  orders: Map<string, { paymentId: string; total: string }>
  cancelled: Set<string>
  /** Adjustments of the stock by their notes: what was acknowledged, and what nobody knows of. */
  adjusted: Map<string, number>
  unsure: Map<string, number>
  /** Requests that were under way when the shop ended. */
  unanswered: number
  /** While the disk is gone under a shop that still runs: it may say that it failed, and must not say that it did it. */
  isBroken: boolean
  /** Refusals that may come, by what they say. */
  refused: Map<string, number>
  findings: string[]
}

export const newJournal = (): Journal => ({
  paid: new Set(),
  orders: new Map(),
  cancelled: new Set(),
  adjusted: new Map(),
  unsure: new Map(),
  unanswered: 0,
  isBroken: false,
  refused: new Map(),
  findings: [],
})

/** What a fault's trials came to. */
export type Outcome = {
  /** How often the fault was made. */
  trials: number
  /** What must never be. None is what is hoped for. */
  findings: string[]
  /** What else was counted, for the reader: orders, requests without an answer, milliseconds. */
  facts: Record<string, number>
}

/** Makes a fault so often at one site, and checks from outside what it left. */
export type Fault = (site: Site, times: number, how: { isShort: boolean }) => Promise<Outcome>
