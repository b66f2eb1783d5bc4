import type { CaseItem, CasePrescription, MedicineOption } from '#domain/dispensing/case-prescription.ts'
import { identityText } from '#domain/dispensing/medicine-text.ts'
import { toIsoDay, type Fields } from './case-fields.ts'

/**
 * The fields of the transcription form. The names of a medicine's fields begin with its key in the
 * form: `items.0.units`. A draft stores the same.
 */

/** The medicines to choose from, by the key of the medicine whose text was looked up. */
export type MedicineOptions = Readonly<Record<string, readonly MedicineOption[]>>

/** The keys of the medicines that the fields have. */
export const itemKeysOf = (fields: Fields): string[] => [
  ...new Set(
    Object.keys(fields).flatMap((name) => {
      const key = /^items\.(\d+)\./.exec(name)?.[1]
      return key === undefined ? [] : [key]
    }),
  ),
]

const itemFields = ['id', 'medicine', 'units', 'daysSupply', 'refills', 'directions', 'validUntil'] as const

/** Whether nothing was typed for a new medicine, which is then left out. A stored one stays. */
const isBlankItem = (fields: Fields, key: string): boolean =>
  itemFields.every((name) => !fields[`items.${key}.${name}`]?.trim())

/** The medicines to send: all that have a value, and at least one, whose errors are then shown. */
export function usedItemKeys(fields: Fields): string[] {
  const keys = itemKeysOf(fields)
  const used = keys.filter((key) => !isBlankItem(fields, key))
  return used.length > 0 ? used : keys.slice(0, 1)
}

/** A medicine that the form does not have yet. */
export const nextItemKey = (keys: readonly string[]): string => String(Math.max(-1, ...keys.map(Number)) + 1)

/** The call's input. Text stays as it was typed; the server reads it. */
export function toTranscriptionInput(fields: Fields) {
  const get = (name: string): string => fields[name] ?? ''
  return {
    prescriptionId: get('prescriptionId'),
    version: get('version'),
    caseId: get('caseId'),
    patientName: get('patientName'),
    patientNameNote: get('patientNameNote'),
    prescriberName: get('prescriberName'),
    npi: get('npi').replaceAll(/[\s-]/g, ''),
    license: get('license'),
    jurisdiction: get('jurisdiction'),
    prescriberPhone: get('prescriberPhone'),
    writtenOn: toIsoDay(get('writtenOn')),
    authentication: {
      method: isMethod(get('authentication.method')) ? get('authentication.method') : '',
      note: get('authentication.note'),
    } as { method: Method | ''; note: string },
    duplicateNote: get('duplicateNote'),
    duplicatesSeen: get('duplicatesSeen').split(' ').filter(Boolean),
    items: usedItemKeys(fields).map((key) => {
      const item = (name: string): string => get(`items.${key}.${name}`)
      return {
        id: item('id') || null,
        variantId: item('variantId'),
        medicine: fields[`items.${key}.medicine`],
        listed: fields[`items.${key}.listed`],
        storedMedicine: item('storedMedicine'),
        units: item('units'),
        daysSupply: item('daysSupply'),
        refills: item('refills'),
        directions: item('directions'),
        dispenseAsWritten: item('dispenseAsWritten'),
        validUntil: toIsoDay(item('validUntil')),
        agreement: { with: item('agreement.with'), on: toIsoDay(item('agreement.on')) },
      }
    }),
  }
}

type Method = NonNullable<NonNullable<CasePrescription['transcription']>['authentication']>['method']
const methods: readonly string[] = ['original', 'prescriber', 'contacted', 'transferred'] satisfies Method[]
const isMethod = (text: string): text is Method => methods.includes(text)

/** Errors by the form's field names: the server counts the sent medicines. */
export function toFormErrors(errors: Fields, fields: Fields): Record<string, string> {
  const keys = usedItemKeys(fields)
  return Object.fromEntries(
    Object.entries(errors).map(([name, message]) => {
      const dotted = name.replaceAll(/\[(\d+)\]/g, '.$1')
      const [, index, rest] = /^items\.(\d+)\.(.+)$/.exec(dotted) ?? []
      return [index === undefined ? dotted : `items.${keys[Number(index)] ?? index}.${rest}`, message]
    }),
  )
}

/** The fields without the medicines that were closed. */
export function withoutClosedItems(fields: Fields, items: readonly CaseItem[]): Fields {
  const active = new Set(items.flatMap(({ id, status }) => (status === 'active' ? [id] : [])))
  const isClosed = (key: string): boolean => {
    const id = fields[`items.${key}.id`]
    return Boolean(id) && !active.has(id ?? '')
  }
  const closed = itemKeysOf(fields).filter(isClosed)
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => !closed.some((key) => name.startsWith(`items.${key}.`))),
  )
}

/** The version of a form for which nothing was transcribed yet. A save of it replaces nothing. */
export const untranscribed = '0'

/** The form's values of what is stored, for the version that a save of them replaces. */
export function storedFields({ version, transcription, items }: CasePrescription): Record<string, string> {
  if (!transcription) return { version: untranscribed }
  const { prescriberId, authentication, duplicate } = transcription
  const active = items.filter(({ status }) => status === 'active')
  return {
    version: String(version),
    patientName: transcription.patientName,
    prescriberName: transcription.prescriberName,
    prescriberPhone: transcription.prescriberPhone ?? '',
    ...('npi' in prescriberId ? { npi: prescriberId.npi } : prescriberId),
    writtenOn: transcription.writtenOn,
    'authentication.method': authentication?.method ?? '',
    'authentication.note': authentication?.note ?? '',
    duplicateNote: duplicate?.note ?? '',
    ...Object.assign({}, ...active.map(storedItemFields)),
  }
}

function storedItemFields(item: CaseItem, at: number): Record<string, string> {
  const values = {
    id: item.id,
    storedMedicine: identityText(item.medicine),
    units: String(item.unitsPerFill),
    daysSupply: String(item.daysSupply),
    refills: String(item.refills),
    directions: item.directions,
    validUntil: item.validUntil ?? '',
    ...(item.dispenseAsWritten !== null && { dispenseAsWritten: 'on' }),
  }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`items.${at}.${name}`, value]))
}
