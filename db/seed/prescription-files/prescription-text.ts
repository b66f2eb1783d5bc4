import { utcDay } from '#domain/days.ts'
/** What a prescription of the demo says. Every person, address and number is made up. */
export type PrescriptionText = {
  prescriber: { name: string; clinic: string; address: string; phone: string; license: string }
  patient: { name: string; address: string; birthDate: string }
  /** The day it was written. */
  written: Date
  /** As prescribers abbreviate: `1 tab po bid`, `#60`, `RF 2`. */
  items: readonly { drug: string; directions: string; quantity: string; refills: string }[]
}

export type Country = 'US' | 'CA'

/** A date as people in the country write it. */
export function writtenDate(day: Date, country: Country): string {
  const iso = utcDay(day)
  return country === 'CA' ? iso : iso.replace(/^(\d+)-0?(\d+)-0?(\d+)$/, '$2/$3/$1')
}
