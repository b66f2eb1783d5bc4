import { formatDay } from '#domain/format-day.ts'
import { formatMoment } from '#domain/format-moment.ts'
import type { Prescription } from '#domain/prescriptions/prescriptions.ts'

type Uploaded = Pick<Prescription, 'id' | 'doctorName' | 'uploadedAt'>

const nameKey = ({ doctorName, uploadedAt }: Uploaded): string =>
  JSON.stringify([doctorName, formatDay(uploadedAt.toISOString())])

/** When prescriptions of one doctor and day were uploaded, by id: nothing else tells them apart. */
export const listUploadTimes = (prescriptions: readonly Uploaded[]): Map<string, string> =>
  new Map(
    prescriptions
      .filter((each) => prescriptions.some((other) => other !== each && nameKey(other) === nameKey(each)))
      .map(({ id, uploadedAt }) => [id, formatMoment(uploadedAt)]),
  )
