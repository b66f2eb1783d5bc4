import { formatDay } from '#domain/format-day.ts'
import { formatMoment } from '#domain/format-moment.ts'
import type { Prescription } from '#domain/prescriptions/prescriptions.ts'

type Uploaded = Pick<Prescription, 'id' | 'doctorName' | 'uploadedAt'>

const nameKey = ({ doctorName, uploadedAt }: Uploaded): string =>
  JSON.stringify([doctorName, formatDay(uploadedAt.toISOString())])

/** When prescriptions of one doctor and day were uploaded, by id: nothing else tells them apart. */
export function listUploadTimes(prescriptions: readonly Uploaded[]): Map<string, string> {
  const keyed = prescriptions.map((each) => [nameKey(each), each] as const)
  const counts = new Map<string, number>()
  for (const [key] of keyed) counts.set(key, (counts.get(key) ?? 0) + 1)
  return new Map(
    keyed.flatMap(([key, { id, uploadedAt }]) =>
      counts.get(key) === 1 ? [] : [[id, formatMoment(uploadedAt)] as const],
    ),
  )
}
