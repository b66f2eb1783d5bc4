import { newBuyer, UnexpectedReplyError, type Buyer } from '#tests/support/buyer.ts'
import { samplePdf } from '#tests/support/sample-files.ts'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'

/** Longer than the shop waits for any storage. */
const patienceMs = 90_000
/** An account may have 200 files. */
const uploadsPerCustomer = 100

/** What customers saw of the file storage. */
export type Uploads = {
  /** Prescriptions that the shop accepted, with the text in their file. */
  stored: Map<string, { customer: Buyer; text: string }>
  refused: number
  slowestMs: number
  problems: string[]
}

export const noUploads = (): Uploads => ({ stored: new Map(), refused: 0, slowestMs: 0, problems: [] })

const ticketSchema = z.object({ uploadURL: z.string() })
const fileSchema = z.object({ url: z.string() })
const idSchema = z.object({ id: z.string() })

/** Uploads a file. Returns its reference, or null when the shop has no storage or no room. */
async function upload(customer: Buyer, text: string, uploads: Uploads): Promise<string | null> {
  const ticket = await customer.send('POST', '/api/objects/upload')
  if (ticket.status === 503 || ticket.status === 507) return null
  if (ticket.status !== 200) throw new UnexpectedReplyError(ticket, 'objects/upload')
  const started = performance.now()
  const response = await fetch(ticketSchema.parse(JSON.parse(ticket.body)).uploadURL, {
    method: 'PUT',
    headers: { cookie: cookieOf(customer) },
    body: new Uint8Array(samplePdf(text, 20_000)),
    signal: AbortSignal.timeout(patienceMs),
  })
  const body = await response.text()
  uploads.slowestMs = Math.max(uploads.slowestMs, Math.round(performance.now() - started))
  if (response.status === 503 && response.headers.has('retry-after')) return null
  if (response.status === 507) return null
  if (response.status !== 200) throw new Error(`An upload returned ${response.status}: ${body.slice(0, 200)}`)
  return fileSchema.parse(JSON.parse(body)).url
}

/** The request header of a customer's session. */
export const cookieOf = ({ cookies }: Pick<Buyer, 'cookies'>): string =>
  [...cookies].map((pair) => pair.join('=')).join('; ')

/** Uploads prescriptions until the signal aborts, each by its own address. */
export async function keepUploading(
  origin: string,
  uploads: Uploads,
  { pauseMs, signal }: { pauseMs: number; signal: AbortSignal },
): Promise<void> {
  let customer: Buyer | null = null
  for (let at = 0; !signal.aborted; at++) {
    try {
      if (at % uploadsPerCustomer === 0) customer = null
      customer ??= await newUploader(origin, uploads)
      if (customer) await uploadPrescription(customer, uploads)
    } catch (error) {
      uploads.problems.push(error instanceof Error ? error.message : String(error))
    }
    await sleep(pauseMs)
  }
}

/** 503 without a service, 507 without room. */
const isRefusal = (error: unknown): boolean =>
  error instanceof UnexpectedReplyError && (error.reply.status === 503 || error.reply.status === 507)

/** A new customer with the ID document that prescriptions require. Null when it was refused. */
async function newUploader(origin: string, uploads: Uploads): Promise<Buyer | null> {
  try {
    return await registerUploader(origin, uploads)
  } catch (error) {
    if (!isRefusal(error)) throw error
    uploads.refused++
    return null
  }
}

async function registerUploader(origin: string, uploads: Uploads): Promise<Buyer | null> {
  const customer = await newBuyer(origin, `upload-${randomUUID()}`)
  const idDocumentURL = await upload(customer, 'An ID document', uploads)
  if (idDocumentURL === null) {
    uploads.refused++
    return null
  }
  const reply = await customer.send('PUT', '/api/profile/id-document', { json: { idDocumentURL } })
  if (reply.status !== 200) throw new UnexpectedReplyError(reply, 'profile/id-document')
  return customer
}

/** Returns whether the shop accepted it. */
async function uploadPrescription(customer: Buyer, uploads: Uploads): Promise<boolean> {
  const text = randomUUID()
  const fileUrl = await upload(customer, text, uploads)
  if (fileUrl === null) {
    uploads.refused++
    return false
  }
  const json = { fileUrl, doctorName: 'Dr. Ada Quillfeather', prescriptionDate: '2026-01-02' }
  const reply = await customer.send('POST', '/api/prescriptions', { json })
  if (reply.status === 503 || reply.status === 507) return false
  if (reply.status !== 201) throw new UnexpectedReplyError(reply, 'prescriptions')
  uploads.stored.set(idSchema.parse(JSON.parse(reply.body)).id, { customer, text })
  return true
}

/** Reads every accepted file again. Returns those that are missing or differ. */
export async function checkUploads({ stored, problems }: Uploads): Promise<string[]> {
  const findings = [...problems]
  for (const [id, { customer, text }] of stored) {
    const reply = await customer.send('GET', `/api/prescriptions/${id}/file`)
    if (reply.status !== 200 || reply.body !== samplePdf(text, 20_000).toString('utf8'))
      findings.push(`the file of prescription ${id} is not what was uploaded: ${reply.status}`)
  }
  for (const { customer } of stored.values()) customer.close()
  return findings
}

/** Milliseconds until an upload is accepted again, or null after the limit. */
export async function waitForUpload(origin: string, limitMs: number): Promise<number | null> {
  const started = performance.now()
  const uploads = noUploads()
  for (;;) {
    const customer = await newUploader(origin, uploads)
    const ms = Math.round(performance.now() - started)
    customer?.close()
    if (customer) return ms
    if (ms > limitMs) return null
    await sleep(100)
  }
}
