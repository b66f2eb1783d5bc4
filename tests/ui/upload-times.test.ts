import { listUploadTimes } from '#app/routes/prescriptions/upload-times.server.ts'
import { expect, test } from 'vitest'

test('prescriptions of one doctor and day have the time of their upload, and each name is made once', () => {
  let reads = 0
  const uploaded = (id: string, at: string, name = 'Dr. Costa') => ({
    id,
    uploadedAt: new Date(at),
    get doctorName() {
      reads += 1
      return name
    },
  })
  const times = listUploadTimes([
    uploaded('a', '2026-05-03T10:00:00Z'),
    uploaded('b', '2026-05-03T10:00:01Z'),
    uploaded('c', '2026-05-04T10:00:00Z'),
    uploaded('d', '2026-05-03T10:00:00Z', 'Dr. Ada Quillfeather'),
  ])
  expect([...times.keys()]).toEqual(['a', 'b'])
  expect(new Set(times.values()).size).toBe(2)
  expect(reads).toBe(4)
})
