const dayMs = 24 * 3600_000

/** The UTC date this many days before a moment, or after it with a negative number. */
export const dateBefore = (now: Date, days: number): string =>
  new Date(now.getTime() - days * dayMs).toISOString().slice(0, 10)

/** The expiry of a card that is valid for years by the real clock: "12/29". */
export const cardExpiry = (): string =>
  `12/${String((new Date().getUTCFullYear() + 3) % 100).padStart(2, '0')}`
